/// The most that one user's programs may hold of a door, all their connections together.
package struct ConnectionLimits: Equatable, Sendable {
  package var connectionsPerUser = 600
  package var bytesPerConnection = 1 << 20
  package var bytesPerUser = 4 << 20

  package init() {}
}

/// One user's part of a door, all programs together.
package final class UserAccount {
  let uid: UInt32
  package var limits: ConnectionLimits
  package private(set) var connections = 0
  /// Bytes that wait, in both directions.
  package private(set) var held = 0

  package init(of uid: UInt32, _ limits: ConnectionLimits) {
    self.uid = uid
    self.limits = limits
  }

  func begin() { connections += 1 }

  func end(holding bytes: Int) {
    connections -= 1
    held -= bytes
  }

  func hold(_ bytes: Int) { held += bytes }
}
