/// One user's part of the door, all programs together.
final class UserAccount {
  var limits: SocketDoor.Limits
  var connections = 0
  /// Bytes that wait, in both directions.
  var held = 0

  init(_ limits: SocketDoor.Limits) { self.limits = limits }
}
