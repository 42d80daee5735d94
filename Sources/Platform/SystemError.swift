internal import Glibc

/// The system's *no*: what was tried, and what it answered.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package var attempt: String
  package var number: Int32

  /// By default the answer just given.
  package init(_ attempt: String, _ number: Int32 = errno) {
    self.attempt = attempt
    self.number = number
  }

  package var description: String { "\(attempt): \(reason)" }

  /// Only what it answered.
  package var reason: String { String(cString: strerror(number)) }

  package var isNotFound: Bool { number == ENOENT }
  package var isBusy: Bool { number == EBUSY }

  /// systemd's functions return the negative number; gives it back if it is no error.
  @discardableResult
  static func check(_ result: Int32, _ attempt: @autoclosure () -> String) throws(SystemError)
    -> Int32
  {
    guard result < 0 else { return result }
    throw SystemError(attempt(), -result)
  }
}
