/// The machine's own lists of users and groups, as they are when read; no name server is asked.
package struct Accounts {
  private var users: [(name: String, uid: UInt32, group: UInt32)] = []
  private var groups: [(name: String, number: UInt32, members: [String])] = []

  private static let longest = 4 << 20

  package init(users: String = "/etc/passwd", groups: String = "/etc/group") {
    for words in Self.lines(of: users) where words.count >= 4 {
      guard let uid = UInt32(words[2]), let group = UInt32(words[3]) else { continue }
      self.users.append((words[0], uid, group))
    }
    for words in Self.lines(of: groups) where words.count >= 4 {
      guard let number = UInt32(words[2]) else { continue }
      self.groups.append((words[0], number, words[3].split(separator: ",").map(String.init)))
    }
  }

  private static func lines(of path: String) -> [[String]] {
    let bytes = (try? File.bytes(of: path, atMost: longest)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).map {
      $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  /// By name or number.
  package func uid(of user: String) -> UInt32? {
    users.first { $0.name == user }?.uid ?? UInt32(user)
  }

  /// The user's own.
  package func group(of uid: UInt32) -> UInt32? { users.first { $0.uid == uid }?.group }

  /// The members of a group, by its name or number, and the users whose own group it is.
  package func members(of group: String) -> Set<UInt32>? {
    let number = UInt32(group)
    guard let found = groups.first(where: { $0.name == group || $0.number == number }) else {
      return nil
    }
    let named = users.filter { user in found.members.contains { $0 == user.name } }
    return Set((named + users.filter { $0.group == found.number }).map(\.uid))
  }
}
