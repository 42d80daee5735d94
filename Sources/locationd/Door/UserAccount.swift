/// What one user's programs hold of the door.
final class UserAccount {
  /// As people call the user.
  let name: String
  var limits: SocketDoor.Limits
  var connections = 0
  /// Bytes that wait, in both directions.
  var held = 0

  init(_ name: String, _ limits: SocketDoor.Limits) {
    self.name = name
    self.limits = limits
  }
}
