/// Chooses the program that is let go where too much waits for all together: of the user for whose programs most waits,
/// so that no user has another's let go.
package struct SlowReaders {
  private var users: [UInt32?: (bytes: Int, fullest: (number: Int64, bytes: Int))] = [:]

  package init() {}

  /// `user`: nil until the daemon has told it.
  package mutating func add(_ number: Int64, of user: UInt32?, holding bytes: Int) {
    let before = users[user] ?? (0, (number, bytes))
    let fullest = bytes > before.fullest.bytes ? (number: number, bytes: bytes) : before.fullest
    users[user] = (before.bytes + bytes, fullest)
  }

  package var first: Int64? { users.values.max { $0.bytes < $1.bytes }?.fullest.number }
}
