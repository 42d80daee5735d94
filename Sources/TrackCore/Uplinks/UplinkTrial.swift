import LocationModel

/// A try of a server, step by step, without a place: the next step begins once the one before has gone well.
package struct UplinkTrial: Sendable {
  package enum Step: String, CaseIterable, Sendable {
    /// The network that the uplink is meant for, and the files that the configuration names.
    case network, files
    case name, connection, encryption, login
    /// The broker confirms a message, or the web server answers.
    case answer
  }

  package struct Result: Equatable, Sendable {
    package var step: Step
    package var isGood: Bool
    package var words: String
  }

  package let plan: UplinkPlan
  private var steps: [Step]
  package private(set) var results: [Result] = []

  package init(_ plan: UplinkPlan) {
    self.plan = plan
    steps = Step.allCases.filter { step in
      switch step {
      case .network: !plan.onlyOn.isEmpty
      case .encryption: plan.address.isSecure
      case .login: plan.address.words.areForBroker
      default: true
      }
    }
  }

  /// Nil at the end, or where a step has failed.
  package var next: Step? { results.last?.isGood == false ? nil : steps.first }

  package mutating func succeed(_ words: String = "") {
    guard next != nil else { return }
    results.append(.init(step: steps.removeFirst(), isGood: true, words: words))
  }

  package mutating func fail(_ words: String) {
    guard next != nil else { return }
    results.append(.init(step: steps.removeFirst(), isGood: false, words: words))
  }

  /// A web server's answer to a question that has no place in it.
  package mutating func take(status: Int) {
    switch status {
    case 404:
      succeed(
        "the server answers 404 to a question without a place; where entries are answered so, the path is wrong"
      )
    // Such a question is none that a server takes.
    case 400, 405, 415, 422: succeed("the server answers \(status)")
    case 200..<300: succeed(Verdict.words(status))
    default: fail(Verdict.words(status))
    }
  }

  /// 3.1.1 has no words for what an access list throws away.
  package mutating func takeConfirmation(_ version: MQTTVersion) {
    succeed(
      version == .v5
        ? "the broker confirms a message"
        : "the broker confirms a message; by MQTT 3.1.1 also one that its access list throws away")
  }
}

extension UplinkTrial.Result {
  var json: JSON {
    ["step": .string(step.rawValue), "ok": .bool(isGood), "words": .string(words)]
  }

  init?(_ json: JSON) {
    guard let step = json["step"]?.string.flatMap(UplinkTrial.Step.init) else { return nil }
    self.init(step: step, isGood: json["ok"]?.bool == true, words: json["words"]?.string ?? "")
  }
}

/// The try of one of an uplink's servers, as it was told.
package struct TrialReport: Equatable, Sendable {
  package var server: String
  package var results: [UplinkTrial.Result]

  package init(_ trial: UplinkTrial) {
    server = trial.plan.address.server
    results = trial.results
  }

  package var isGood: Bool { results.allSatisfy(\.isGood) }

  init(_ json: JSON) {
    server = json["server"]?.string ?? ""
    results = json.list("steps", UplinkTrial.Result.init) ?? []
  }

  var json: JSON {
    ["server": .string(server), "steps": .array(results.map(\.json))]
  }
}
