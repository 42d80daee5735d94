/// The network by which this machine reaches the world, in NetworkManager's words.
package struct NetworkConnection: Equatable, Sendable {
  package var id: String
  package var uuid: String
  package var type: String

  package init(id: String, uuid: String, type: String) {
    (self.id, self.uuid, self.type) = (id, uuid, type)
  }

  /// Whether a word of `OnlyOn=` means it: its name, its UUID, its type, or a usual word for that.
  func isMeant(by word: String) -> Bool {
    word == id || word.lowercased() == uuid.lowercased() || word == type
      || Self.types[word.lowercased()]?.contains(type) == true
  }

  private static let types = [
    "wifi": ["802-11-wireless"], "wired": ["802-3-ethernet"],
    "mobile": ["gsm", "cdma", "bluetooth"],
  ]
}

extension UplinkPlan {
  /// Why nothing may be sent on this network; nil where it may. Without a network known it may not.
  package func obstacle(on connection: NetworkConnection?) -> String? {
    guard !onlyOn.isEmpty else { return nil }
    let words = onlyOn.joined(separator: ", ")
    guard let connection else {
      return "waits for \(words): NetworkManager names no network that is up"
    }
    guard !onlyOn.contains(where: connection.isMeant) else { return nil }
    return "waits for \(words): this is '\(connection.id)'"
  }
}
