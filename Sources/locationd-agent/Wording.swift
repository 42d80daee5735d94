import Console
import LocationClient
import LocationModel

extension Speech {
  /// In the language of the person whose agent it is.
  static let own = Speech(UserLocale.tag)
}

/// The text that a person reads.
struct Wording {
  let question: AgentQuestion
  let say: Speech

  init(_ question: AgentQuestion, in speech: Speech = .own) {
    self.question = question
    say = speech
  }

  /// The app has While Using already, and wants Always.
  var isSecond: Bool { question.level == .always && question.current == .authorizedWhenInUse }
  var isAboutAccuracy: Bool { question.level == .fullAccuracy }

  var app: String {
    let name = question.app.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
    return question.app.hasPrefix("user:")
      ? say("a program of yours") : name.plain(atMost: Self.longest)
  }

  var title: String {
    if isAboutAccuracy { return say("Let \(app) know exactly where you are, for now?") }
    return isSecond
      ? say("Let \(app) know your location even while you do not use it?")
      : say("Let \(app) know your location?")
  }

  /// The app's reason, as its claim.
  var claim: String {
    var claims: [String] = []
    if let name = question.name, !name.isEmpty {
      claims.append(say("It calls itself \(name.quotation(atMost: Self.longest))."))
    }
    if let purpose = question.purpose, !purpose.isEmpty {
      claims.append(say("It says of itself: \(purpose.quotation(atMost: Self.longest))"))
    }
    return claims.joined(separator: " ")
  }

  /// An interpreter may run any program.
  var isOnceOnly: Bool { question.isOnceOnly }
  /// More than the one program is meant: once is the first answer, and the one that is proposed.
  var isOnceFirst: Bool { question.warning != nil }

  var body: String {
    let app = question.app.plain(atMost: Self.longest)
    // A program that is not running has no number.
    var sentences = [
      question.pid > 0 ? say("\(app) (process \(question.pid)) asks.") : say("\(app) asks.")
    ]
    if isOnceOnly {
      sentences.append(say("It may run any program, so it can be allowed only once."))
    }
    if let warning = question.warning { sentences.append(say(Phrase(stringLiteral: warning))) }
    sentences.append(
      say("You can change your mind with 'locationctl apps', 'revoke' and 'reset'."))
    return sentences.joined(separator: " ")
  }

  static func held(_ apps: [String], in say: Speech = .own) -> String {
    let names = apps.map { $0.plain(atMost: longest) }.joined(separator: ", ")
    return say(
      """
      \(names) may know where you are though you look elsewhere, until it is done. \
      'locationctl revoke' ends it.
      """)
  }

  static func used(_ apps: [AppUse], in say: Speech = .own) -> String {
    let names = apps.map { IndicatorMenu.name($0, in: say) }.joined(separator: ", ")
    return say(
      """
      \(names) is told where you are though you look elsewhere. 'locationctl history' says how \
      often, 'locationctl pause' and 'revoke' end it.
      """)
  }

  static func moved(to zone: String, in say: Speech = .own) -> String {
    say(
      """
      This machine is in \(zone.plain(atMost: longest)) now, and its clock follows. \
      'sudo locationctl timezone follow off' ends that.
      """)
  }

  /// Columns of a name and of a claim that a dialog shows.
  private static let longest = 200
}
