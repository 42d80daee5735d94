import LocationModel

extension SourceTable {
  /// No source can give a fix for now.
  var haveAllFailed: Bool {
    isSeeking
      && entries.allSatisfy {
        if case .failed = $0.state { return true }
        return !$0.source.kind.givesFixes || $0.source.kind == .radio && !knowsNetworks
      }
  }

  func isBeaconRadio(_ id: SourceID) -> Bool {
    entries.contains { $0.source.id == id && $0.source.kind == .beacons }
  }

  func isOpenBeaconRadio(_ id: SourceID) -> Bool {
    entries.contains { $0.source.id == id && $0.source.kind == .beacons && $0.isOpen }
  }

  /// The reason why no radio hears beacons; nil where one does, or is yet to say.
  var beaconTrouble: String? {
    let radios = entries.filter { $0.source.kind == .beacons }
    guard !radios.isEmpty else { return "no bus is used, so there is no Bluetooth" }
    for radio in radios {
      guard case .failed = radio.state else { return nil }
    }
    guard case .failed(let reason)? = radios.first?.state else { return nil }
    return reason
  }

  /// Opens the radios that hear beacons for a client that may know of them, and closes them at once without one: to
  /// listen costs power, and disturbs others.
  mutating func supply(
    beacons demand: SourceDemand?, at now: Instant, into outputs: inout [Output]
  ) {
    for i in entries.indices where entries[i].source.kind == .beacons {
      guard let demand else {
        close(i, .closed, at: now, into: &outputs)
        continue
      }
      set(demand, of: i, at: now, into: &outputs)
    }
  }

  /// Opens a source, or tells an open one what is demanded of it now.
  mutating func set(
    _ demand: SourceDemand, of i: Int, at now: Instant, into outputs: inout [Output]
  ) {
    let isNew = entries[i].demand != demand
    entries[i].demand = demand
    if !entries[i].isOpen {
      entries[i].set(.waiting, at: now)
      outputs.append(.open(entries[i].source.id, demand))
    } else if isNew {
      outputs.append(.demand(entries[i].source.id, demand))
    }
  }

  mutating func hear(_ scan: BeaconScan, from id: SourceID, at now: Instant) {
    for i in entries.indices where entries[i].source.id == id { entries[i].run(at: now) }
  }

  func isOpenRadio(_ id: SourceID) -> Bool {
    entries.contains { $0.source.id == id && $0.source.kind == .radio && $0.isOpen }
  }

  /// The radios that are there, and open for a client that needs a place.
  var neededRadios: [SourceID] { entries.filter(\.isNeededRadio).map(\.source.id) }

  /// Metres that they are to reach; nil where there are none.
  var radioDemand: Double? {
    for i in entries.indices where entries[i].isNeededRadio { return entries[i].demand?.accuracy }
    return nil
  }
}

extension SourceTable.Entry {
  fileprivate var isNeededRadio: Bool { source.kind == .radio && isFound && unneededSince == nil }
}
