package import LocationModel

/// A modem as ModemManager shows it.
package struct Modem: Equatable, Sendable {
  /// ModemManager's bits for what a modem may be asked.
  package struct Sources: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The cell that it is in.
    static let cell = Sources(rawValue: 1)
    /// Its receiver, in ModemManager's own words, and by its sentences.
    static let raw = Sources(rawValue: 2)
    package static let nmea = Sources(rawValue: 4)
    /// Its receiver is on, and the port is left to others.
    static let unmanaged = Sources(rawValue: 16)
  }

  /// Its object on the bus.
  package var path: String
  /// Stays over a restart of the daemon.
  package var identity: String
  /// The model, the main port and the number by which people name it.
  package var names: [String]
  package var capabilities: Sources
  package var enabled: Sources
  /// ModemManager shows the place to everybody.
  package var isShown: Bool
  /// Seconds between two tellings of the receiver's sentences; 0 is as they come.
  package var rate: UInt32
  /// The device where the receiver speaks, if it has one of its own.
  package var receiverPort: String?
  /// Nil for networks that no server knows.
  package var radio: CellTower.Radio?

  package init(path: String, identity: String) {
    (self.path, self.identity) = (path, identity)
    names = []
    (capabilities, enabled) = ([], [])
    isShown = false
    rate = 0
  }

  /// The modem of that name, else the first that knows anything.
  package static func chosen(among modems: [Modem], named name: String?) -> Modem? {
    modems.sorted { $0.path < $1.path }.first { modem in
      !modem.capabilities.isDisjoint(with: [.cell, .nmea, .unmanaged])
        && (name.map { name in
          (modem.names + [modem.identity]).contains { $0.lowercased() == name.lowercased() }
        } ?? true)
    }
  }
}

extension CellTower.Radio {
  /// ModemManager's bits for the technologies that are in use: the newest counts. Nil for 5G alone and for CDMA.
  package init?(accessTechnologies bits: UInt32) {
    if bits & 0x3_4000 != 0 {
      self = .lte
    } else if bits & 0x3E0 != 0 {
      self = .wcdma
    } else if bits & 0x1E != 0 {
      self = .gsm
    } else {
      return nil
    }
  }
}

extension CellTower {
  /// ModemManager's word: the country, the network, the location area, the cell and the tracking area, the last three
  /// in hexadecimal.
  package init?(modem text: String, radio: Radio) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count >= 4, let country = Int(fields[0]), let network = Int(fields[1]),
      let locationArea = Int(fields[2], radix: 16), let cell = Int(fields[3], radix: 16)
    else { return nil }
    let trackingArea = fields.count > 4 ? Int(fields[4], radix: 16) : nil
    self.init(
      radio: radio, country: country, network: network,
      area: radio == .lte ? trackingArea ?? locationArea : locationArea, cell: cell)
  }
}
