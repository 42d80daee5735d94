/// A person's wish that none of their programs is told a place for a while.
package struct PauseRequest: Equatable, Sendable {
  package var seconds: Double
  /// Nil is whoever asks.
  package var uid: UInt32?

  /// An hour.
  package static let usual = 3600.0
  /// A week.
  package static let most = 604_800.0

  package init(seconds: Double = PauseRequest.usual, uid: UInt32? = nil) {
    self.seconds = seconds
    self.uid = uid
  }
}

extension PauseRequest {
  static let parameters: [Parameter<Self>] = [
    .number("seconds", \.seconds, Parameters.pause), .uid(\.uid),
  ]
  static let whose: [Parameter<Self>] = [.uid(\.uid)]
}

extension Parameters {
  fileprivate func pause(_ name: String) throws(Refusal) -> Double? {
    try number(name) { $0 >= 1 && $0 <= PauseRequest.most }
  }
}

/// A pause that goes on.
package struct PauseStatus: Equatable, Sendable {
  package var until: Timestamp
  package var seconds: Double
  /// Services of the machine that know the place all the same.
  package var services: [String] = []
  /// The master switch, which the pause hides from programs.
  package var isEnabled = true

  package init(
    until: Timestamp, seconds: Double, services: [String] = [], isEnabled: Bool = true
  ) {
    self.until = until
    self.seconds = seconds
    self.services = services
    self.isEnabled = isEnabled
  }

  package var json: JSON {
    [
      "until": .string(until.iso8601), "seconds": .number(seconds.rounded(toPlaces: 3)),
      "services": services.isEmpty ? nil : .array(services.map(JSON.string)),
      "enabled": .bool(isEnabled),
    ]
  }

  package init?(_ json: JSON) {
    guard let until = json["until"]?.string.flatMap(Timestamp.init(iso8601:)) else { return nil }
    self.init(
      until: until, seconds: json["seconds"]?.double ?? 0,
      services: (json["services"]?.array ?? []).compactMap(\.string),
      isEnabled: json["enabled"]?.bool ?? true)
  }
}
