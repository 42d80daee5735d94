import Foundation
import Glibc
import Testing

@testable import Platform

@Suite("Names of users") final class UserNamesTests {
  let path = FileManager.default.temporaryDirectory.appending(path: "passwd-\(UUID())").path

  deinit { unlink(path) }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  @Test("a user of this machine has a name, any other a number")
  func names() throws {
    #expect(UserNames().name(of: 0) == "root")
    try write("root:x:0:0::/root:/bin/sh\nann:x:1000:1000:Ann,1:/home/ann:/bin/sh\n")
    let names = UserNames(in: path)
    #expect(names.name(of: 1000) == "ann")
    #expect(names.name(of: 100) == "100")
    #expect(names.name(of: 4_000_000_000) == "4000000000")
  }

  @Test("a change is noticed")
  func change() throws {
    let names = UserNames(in: path)
    #expect(names.name(of: 1000) == "1000")
    try write("ann:x:1000:1000::/:/bin/sh\n")
    #expect(names.name(of: 1000) == "ann")
    try write("bob:x:1000:1000::/:/bin/sh\n")
    #expect(names.name(of: 1000) == "bob")
    unlink(path)
    #expect(names.name(of: 1000) == "1000")
  }

  @Test("lines that are none name nobody")
  func nonsense() throws {
    try write("+::::::\n:x:7:7:::\n7\nx:7\nx:y:7\n\n\u{0}:::\nann:x:07:7:::\nlast:x:9:9")
    let names = UserNames(in: path)
    for uid in [7, 0] as [UInt32] { #expect(names.name(of: uid) == "\(uid)") }
    #expect(names.name(of: 9) == "last")
    try Data([0xFF, 0xFE] + "x:x:7:7:::\n".utf8.dropFirst()).write(to: URL(filePath: path))
    #expect(names.name(of: 7) == "7")
  }
}
