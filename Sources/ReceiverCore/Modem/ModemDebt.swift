package import LocationModel

/// The changes at a modem that are to be undone.
package struct ModemDebt: Equatable, Sendable {
  package private(set) var identity: String
  /// The bits that were added to the mask.
  var added: Modem.Sources = []
  /// The settings as they were found.
  var isShown: Bool
  var rate: UInt32

  init(_ modem: Modem) {
    identity = modem.identity
    isShown = modem.isShown
    rate = modem.rate
  }
}

extension ModemDebt {
  package var json: JSON {
    [
      "modem": .string(identity), "sources": .integer(Int64(added.rawValue)),
      "signal": .bool(isShown), "rate": .integer(Int64(rate)),
    ]
  }

  package init?(_ json: JSON) {
    guard let identity = json["modem"]?.string,
      let added = json["sources"]?.integer.flatMap(UInt32.init(exactly:)),
      let isShown = json["signal"]?.bool,
      let rate = json["rate"]?.integer.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.identity = identity
    self.added = Modem.Sources(rawValue: added)
    self.isShown = isShown
    self.rate = rate
  }
}
