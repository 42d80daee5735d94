import LocationModel

/// The text that a person reads.
struct Wording {
  let question: AgentQuestion

  init(_ question: AgentQuestion) {
    self.question = question
  }

  /// The app has While Using already, and wants Always.
  var isSecond: Bool { question.level == .always && question.current == .authorizedWhenInUse }
  var isAboutAccuracy: Bool { question.level == .fullAccuracy }

  var app: String {
    let name = question.app.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
    return question.app.hasPrefix("user:") ? "a program of yours" : name.plain(atMost: Self.longest)
  }

  var title: String {
    if isAboutAccuracy { return "Let \(app) know exactly where you are, for now?" }
    return isSecond
      ? "Let \(app) know your location even while you do not use it?"
      : "Let \(app) know your location?"
  }

  /// The app's reason, as its claim.
  var claim: String {
    var claims: [String] = []
    if let name = question.name, !name.isEmpty {
      claims.append("It calls itself \(name.quotation(atMost: Self.longest)).")
    }
    if let purpose = question.purpose, !purpose.isEmpty {
      claims.append("It says of itself: \(purpose.quotation(atMost: Self.longest))")
    }
    return claims.joined(separator: " ")
  }

  /// An interpreter may run any program.
  var isOnceOnly: Bool { question.isOnceOnly }
  /// More than the one program is meant: once is the first answer, and the one that is proposed.
  var isOnceFirst: Bool { question.warning != nil }

  /// One that is not running has no number.
  private var process: String { question.pid > 0 ? " (process \(question.pid))" : "" }

  var body: String {
    "\(question.app.plain(atMost: Self.longest))\(process) asks."
      + (isOnceOnly ? " It may run any program, so it can be allowed only once." : "")
      + (question.warning.map { " " + $0 } ?? "")
      + " You can change your mind with 'locationctl apps', 'revoke' and 'reset'."
  }

  static func held(_ apps: [String]) -> String {
    let names = apps.map { $0.plain(atMost: longest) }.joined(separator: ", ")
    return "\(names) may know where you are though you look elsewhere,"
      + " until it is done. 'locationctl revoke' ends it."
  }

  static func used(_ apps: [AppUse]) -> String {
    let names = apps.map { IndicatorMenu.name($0) }.joined(separator: ", ")
    return
      "\(names) is told where you are though you look elsewhere. 'locationctl history' says how"
      + " often, 'locationctl pause' and 'revoke' end it."
  }

  static func moved(to zone: String) -> String {
    "This machine is in \(zone.plain(atMost: longest)) now, and its clock follows."
      + " 'sudo locationctl timezone follow off' ends that."
  }

  /// Columns of a name and of a claim that a dialog shows.
  private static let longest = 200
}
