/// The bus's word on how much of what was sent to a peer the peer has not read.
enum BusUnread: Equatable {
  case bytes(Int)
  /// The peer has gone.
  case nobody
  /// The bus may say more when it is asked again.
  case later
  /// This bus does not tell.
  case untold

  /// Nil where the name is not one of a peer.
  static func ask(
    about name: String, on connection: BusConnection, completion: @escaping (BusUnread) -> Void
  ) -> BusCall? {
    let message = try? BusMessage(
      to: Bus.name, Bus.path, "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats",
      [.string(name)])
    guard let message else { return nil }
    return connection.call(message, patience: connection.limits.patience) {
      completion(BusUnread($0))
    }
  }

  private init(_ answer: BusCall.Answer) {
    switch answer {
    case .success(let reply):
      let numbers = (try? reply.arguments())?.first?.asDictionary
      self = .bytes(Int(numbers?["OutgoingBytes"]?.asUInt32 ?? 0))
    case .failure(let error): self.init(error)
    }
  }

  init(_ error: BusError) {
    switch error.name.split(separator: ".").last {
    case "NameHasNoOwner": self = .nobody
    case "NoReply", "Disconnected", "LimitsExceeded", "NoMemory": self = .later
    default: self = .untold
    }
  }
}
