import Foundation
import Testing

@testable import Platform

@Suite("Users and groups") final class AccountsTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "etc-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func accounts(_ users: String, _ groups: String) throws -> Accounts {
    let passwd = folder.appending(path: "passwd")
    let group = folder.appending(path: "group")
    try Data(users.utf8).write(to: passwd)
    try Data(groups.utf8).write(to: group)
    return Accounts(users: passwd.path, groups: group.path)
  }

  @Test("a user is found by name or number, a group's are those it names and those whose own it is")
  func members() throws {
    let accounts = try accounts(
      "root:x:0:0::/root:/bin/sh\nann:x:1000:100::/home/ann:/bin/sh\nbob:x:1001:7::/:/bin/sh",
      "root:x:0:\nusers:x:100:bob,nobody\nempty:x:8:\n")
    #expect(accounts.uid(of: "ann") == 1000)
    #expect(accounts.uid(of: "4711") == 4711)
    #expect(accounts.uid(of: "eve") == nil)
    #expect(accounts.members(of: "users") == [1000, 1001])
    #expect(accounts.members(of: "100") == [1000, 1001])
    #expect(accounts.members(of: "empty") == [])
    #expect(accounts.members(of: "wheel") == nil)
  }

  @Test("lines that are none, or of another system, name nobody and hide nobody")
  func nonsense() throws {
    let accounts = try accounts(
      "+::::::\n\n7\nx:y:z:7\nann:x:-1:7\n\u{0}:::\r\nbob:x:1001:7:::\r\n",
      ":::\nx:x:y:bob\nusers:x:7:")
    #expect(accounts.uid(of: "ann") == nil)
    #expect(accounts.uid(of: "bob") == 1001)
    #expect(accounts.members(of: "users") == [1001])
    #expect(accounts.members(of: "x") == nil)
  }

  @Test("where there are no lists, there is nobody")
  func missing() {
    let accounts = Accounts(users: "/nowhere/passwd", groups: "/nowhere/group")
    #expect(accounts.uid(of: "root") == nil)
    #expect(accounts.members(of: "root") == nil)
  }
}
