internal import CEnvironment

/// Where the sockets of services are.
package enum SocketPath {
  /// The value of an environment variable, else the usual path. A program with rights that its user lacks (setuid,
  /// setgid, file capabilities) ignores the variable: the user would choose what it talks to.
  package static func named(by variable: String, else usual: String) -> String {
    secure_getenv(variable).map { String(cString: $0) } ?? usual
  }
}
