package import LocationModel

/// Settings that a server has sent, by the names of the configuration's keys.
package struct ServerSettings: Equatable, Sendable {
  package struct Value: Equatable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) { (self.key, self.text) = (key, text) }
  }

  /// The uplink whose server sent them.
  package var owner: String
  package var values: [Value]

  package init(owner: String, values: [Value]) { (self.owner, self.values) = (owner, values) }

  /// The keys that a server may set.
  package static let keys = [
    "Mode", "Distance", "Interval", "Turn", "Error", "Accuracy", "Visits", "Heartbeat", "Batch",
    "Rate",
  ]
}

/// Tries what a server sets. It stays once the server has confirmed an entry that was made under it; ten minutes with
/// a network and without that bring back what held before: a setting that cuts the server off cannot be mended from
/// there. Once it has stayed, silence changes nothing.
package struct SettingsTrial: Equatable, Sendable {
  package enum Input: Equatable, Sendable {
    /// `newest`: the last entry that was made before.
    case set(ServerSettings, newest: Int64)
    /// The server of this uplink has an entry of this number.
    case confirmed(owner: String, number: Int64)
    /// There is a network, and the uplink may send by it.
    case network(isUp: Bool)
    /// The moment of `.wake` has come.
    case timer
  }

  package enum Step: Equatable, Sendable {
    case save
    /// Others are in force.
    case use
    /// An entry is made, so that there is one to confirm.
    case report
    case wake(at: Boottime?)
    case log(Remark)
  }

  private struct Trial: Equatable, Sendable {
    var settings: ServerSettings
    var newest: Int64
    /// With a network, so far.
    var used: Duration = .zero
  }

  private var settled: ServerSettings?
  private var trial: Trial?
  /// The last that did not stay, and when.
  private var returned: (settings: ServerSettings, date: Timestamp)?
  private var isUp = true
  /// The trial's time counts from here.
  private var countedUpTo: Boottime?

  static let longest: Duration = .seconds(600)
  /// A program that is killed over and over in a trial ends it, too.
  static let pause: Duration = .seconds(60)

  package static func == (a: Self, b: Self) -> Bool {
    a.settled == b.settled && a.trial == b.trial && a.isUp == b.isUp
  }

  package init() {}

  package var inForce: ServerSettings? { trial?.settings ?? settled }

  package mutating func handle(_ input: Input, at now: Instant) -> [Step] {
    let before = trial
    count(upTo: now.boottime)
    var steps: [Step] = []
    switch input {
    case .set(let settings, _) where settings == inForce: break
    case .set(let settings, let newest):
      trial = Trial(settings: settings, newest: newest)
      countedUpTo = now.boottime
      steps = [
        .save, .use, .report,
        .log(.notice("settings of \(settings.owner) are tried: \(settings.line)")),
      ]
    case .confirmed(let owner, let number):
      guard let tried = trial, tried.settings.owner == owner, number > tried.newest else { break }
      (settled, trial, returned) = (tried.settings, nil, nil)
      steps = [.save, .log(.notice("settings of \(owner) stay: an entry is confirmed under them"))]
    case .network(let isUp):
      self.isUp = isUp
      countedUpTo = now.boottime
    case .timer: if trial != nil, trial != before { steps = [.save] }
    }
    if let tried = trial, tried.used >= Self.longest {
      trial = nil
      returned = (tried.settings, now.utc)
      steps += [
        .save, .use,
        .log(
          .warning(
            "settings of \(tried.settings.owner) are taken back: no entry was confirmed in ten minutes with a network"
          )),
      ]
    }
    return steps + [.wake(at: wake(after: now.boottime))]
  }

  private mutating func count(upTo now: Boottime) {
    if trial != nil, isUp, let start = countedUpTo { trial?.used += max(now - start, .zero) }
    countedUpTo = now
  }

  private func wake(after now: Boottime) -> Boottime? {
    guard let trial, isUp else { return nil }
    return now + min(Self.pause, max(Self.longest - trial.used, .milliseconds(1)))
  }
}

// MARK: - On the disk, and in the status

extension ServerSettings {
  /// As `Distance=500 Mode=move`.
  var line: String {
    let words = values.map { "\($0.key)=\($0.text)" }
    return words.isEmpty ? "none of its own" : words.joined(separator: " ")
  }

  var json: JSON {
    [
      "uplink": .string(owner),
      "values": .object(values.map { .init(key: $0.key, value: .string($0.text)) }),
    ]
  }

  init?(_ json: JSON?) {
    guard let owner = json?["uplink"]?.string, let members = json?["values"]?.members else {
      return nil
    }
    values = members.compactMap { member in
      member.value.string.map { Value(key: member.key, text: $0) }
    }
    self.owner = owner
  }
}

extension SettingsTrial {
  package var text: String {
    let trial = trial.map { trial in
      JSON.object(
        (trial.settings.json.members ?? []) + [
          .init(key: "newest", value: .integer(trial.newest)),
          .init(key: "used", value: .integer(trial.used.nanoseconds / 1_000_000_000)),
        ])
    }
    let json: JSON = ["settled": settled?.json, "trial": trial, "returned": returnedJSON]
    return json.text
  }

  /// `text`: as the program left it. A trial goes on.
  package init(_ text: String, at now: Boottime) {
    guard let json = try? JSON(parsing: text) else { return }
    settled = ServerSettings(json["settled"])
    if let settings = ServerSettings(json["trial"]) {
      trial = Trial(
        settings: settings, newest: json["trial"]?["newest"]?.integer ?? 0,
        used: .seconds(Double(json["trial"]?["used"]?.integer ?? 0)) + Self.startCost)
    }
    if let settings = ServerSettings(json["returned"]),
      let date = json["returned"]?["date"]?.string.flatMap(Timestamp.init(iso8601:))
    {
      returned = (settings, date)
    }
    countedUpTo = now
  }

  /// A start in a trial costs as much of it.
  private static var startCost: Duration { pause }

  private var returnedJSON: JSON? {
    returned.map { returned in
      .object(
        (returned.settings.json.members ?? []) + [
          .init(key: "date", value: .string(returned.date.iso8601))
        ])
    }
  }

  /// Nil where no server has set anything.
  package var status: JSON? {
    guard let settings = inForce ?? returned?.settings else { return nil }
    let state = trial != nil ? "trial" : settled != nil ? "settled" : "returned"
    return .object(
      (settings.json.members ?? [])
        + [
          .init(key: "state", value: .string(state)),
          .init(
            key: "secondsLeft",
            value: trial.map {
              .integer(max(Self.longest - $0.used, .zero).nanoseconds / 1_000_000_000)
            } ?? .null),
          .init(key: "returned", value: returnedJSON ?? .null),
        ].filter { $0.value != .null })
  }
}
