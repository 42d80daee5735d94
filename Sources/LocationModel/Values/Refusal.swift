/// The daemon's *no*: which one, and what the person or program can do about it.
package struct Refusal: Error, Equatable, Sendable {
  /// Raw values are the codes on the wire: Core Location's own where it has one, else JSON-RPC's.
  package enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied = 1
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5

    case limitExceeded = -32001
    case malformed = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case failed = -32603

    package var name: String { "\(self)" }
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
