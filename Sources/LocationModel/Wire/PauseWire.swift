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

/// A service of the machine that knows the place whatever a person pauses, and the command that stops it.
package struct MachineService: Equatable, Sendable {
  package var app: String
  package var command: String

  package init(_ app: String, stoppedBy command: String) {
    self.app = app
    self.command = command
  }

  /// The app without its kind.
  package var name: String { app.split(separator: ":", maxSplits: 1).last.map(String.init) ?? app }
}

extension [MachineService] {
  /// The names, and the command for each of them; nothing where there are none.
  var members: [JSON.Member] {
    guard !isEmpty else { return [] }
    let commands = map { JSON.Member(key: $0.app, value: .string($0.command)) }
    return [
      .init(key: "services", value: .array(map { .string($0.app) })),
      .init(key: "commands", value: .object(commands)),
    ]
  }

  init(_ json: JSON) {
    self = (json["services"]?.array ?? []).compactMap(\.string).map {
      MachineService($0, stoppedBy: json["commands"]?[$0]?.string ?? "")
    }
  }
}

/// A pause that goes on.
package struct PauseStatus: Equatable, Sendable {
  package var until: Timestamp
  package var seconds: Double
  package var services: [MachineService] = []
  /// The master switch, which the pause hides from programs.
  package var isEnabled = true

  package init(
    until: Timestamp, seconds: Double, services: [MachineService] = [], isEnabled: Bool = true
  ) {
    self.until = until
    self.seconds = seconds
    self.services = services
    self.isEnabled = isEnabled
  }

  package var json: JSON {
    .object(
      [
        JSON.Member(key: "until", value: .string(until.iso8601)),
        JSON.Member(key: "seconds", value: .number(seconds.rounded(toPlaces: 3))),
      ] + services.members + [JSON.Member(key: "enabled", value: .bool(isEnabled))])
  }

  package init?(_ json: JSON) {
    guard let until = json["until"]?.string.flatMap(Timestamp.init(iso8601:)) else { return nil }
    self.init(
      until: until, seconds: json["seconds"]?.double ?? 0,
      services: .init(json),
      isEnabled: json["enabled"]?.bool ?? true)
  }
}
