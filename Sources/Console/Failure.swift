/// The reason why a program ends without success, and its exit status.
package struct Failure: Error, CustomStringConvertible {
  package enum Code: Int32, Sendable {
    case failed = 1
    case usage = 2
    case denied = 3
    case noLocation = 4
    case noDaemon = 5
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
