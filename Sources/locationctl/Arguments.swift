import Glibc
import LocationClient
import LocationModel

/// What follows the command's name; each command takes out what it knows.
struct Arguments {
  private var rest: [String]

  init(_ arguments: ArraySlice<String>) {
    rest = Array(arguments)
  }

  mutating func flag(_ name: String) -> Bool {
    guard let i = rest.firstIndex(of: name) else { return false }
    rest.remove(at: i)
    return true
  }

  mutating func value(_ name: String) throws(Failure) -> String? {
    if let i = rest.firstIndex(where: { $0.hasPrefix("\(name)=") }) {
      return String(rest.remove(at: i).dropFirst(name.count + 1))
    }
    guard let i = rest.firstIndex(of: name) else { return nil }
    guard i + 1 < rest.count else { throw Failure(.usage, "\(name) wants a value") }
    defer { rest.removeSubrange(i...i + 1) }
    return rest[i + 1]
  }

  mutating func number(
    _ name: String, _ what: String, where isPossible: (Double) -> Bool
  ) throws(Failure) -> Double? {
    guard let text = try value(name) else { return nil }
    guard let number = Double(text), number.isFinite, isPossible(number) else {
      throw Failure(.usage, "\(name) wants \(what), not '\(text)'")
    }
    return number
  }

  /// Call it when everything known has been taken out.
  func nothingElse() throws(Failure) {
    guard let first = rest.first else { return }
    throw Failure(
      .usage, first.hasPrefix("-") ? "there is no option '\(first)'" : "'\(first)' is too much")
  }

  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Connection.defaultPath
  }
}

/// Standard output and standard error.
enum Output {
  /// The reader of a pipe may go at any time; then there is nothing left to do.
  static func write(_ text: String) throws(Failure) {
    guard put(text, STDOUT_FILENO) else {
      throw Failure(.failed, errno == EPIPE ? "" : String(cString: strerror(errno)))
    }
  }

  static func complain(_ text: String) {
    _ = put("locationctl: \(text)\n", STDERR_FILENO)
  }

  private static func put(_ text: String, _ descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count > 0 { sent += count } else if errno != EINTR { return false }
      }
      return true
    }
  }
}
