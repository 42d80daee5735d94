/// The daemon's *no*: which one, and what the person or program can do about it.
package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// Core Location's own numbers where it has one, else JSON-RPC's.
  package enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied = 1
    case network = 2
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case rangingUnavailable = 16
    /// MapKit's 4 and 5, which Core Location has other words for.
    case placemarkNotFound = 1004
    case directionsNotFound = 1005

    case limitExceeded = -32001
    case malformed = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case failed = -32603

    package var name: String { "\(self)" }

    /// The name of MapKit's errors, where it is one of them.
    package var domain: String? { rawValue > Self.mapKit ? "MKErrorDomain" : nil }

    /// The number on the wire.
    package var number: Int { rawValue > Self.mapKit ? rawValue - Self.mapKit : rawValue }

    package init?(number: Int, domain: String?) {
      self.init(rawValue: domain == "MKErrorDomain" ? number + Self.mapKit : number)
    }

    private static let mapKit = 1000
  }

  package var code: Code
  private let problem: String
  /// Advice to somebody else, where the program may ask a person first.
  private let remedy: String?

  package init(_ code: Code, _ message: String) {
    self.code = code
    problem = message
    remedy = nil
  }

  /// Denied as long as nobody has decided: the program may ask, or somebody brings the remedy.
  package init(undecided problem: String, remedy: String) {
    code = .denied
    self.problem = problem
    self.remedy = remedy
  }

  /// In the words of the socket.
  package var message: String { message(asking: "requestAuthorization") }

  package var description: String { message }

  /// `method`: what a program asks a person with at the door that it came through; nil for none.
  package func message(asking method: String?) -> String {
    guard let remedy else { return problem }
    return problem + ": " + (method.map { "it may ask with \($0), or " } ?? "") + remedy
  }
}
