import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

/// A disk of 64 kB, as far as it is full or not.
private final class SmallDisk {
  let shelf: Shelf
  private var filler: URL { shelf.folder.appending(path: "filler") }

  init() throws {
    shelf = try Shelf()
    let mount = [
      "mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "locationd-test", shelf.folder.path,
    ]
    try #require(try Child(mount).exit() == 0)
  }

  deinit { _ = try? Child(["umount", "--lazy", shelf.folder.path]).exit() }

  func fill() throws {
    let file = open(filler.path, O_WRONLY | O_CREAT, 0o600)
    let page = [UInt8](repeating: 1, count: 4096)
    while write(file, page, page.count) > 0 {}
    close(file)
  }

  func empty() throws { try FileManager.default.removeItem(at: filler) }
}

extension Shelf {
  /// The answer to one thing to write.
  fileprivate func write(_ name: String, _ number: UInt64, to writer: DatabaseWriter) throws
    -> DatabaseError?
  {
    answers = [:]
    writer.write([insert(name)], number: number)
    try wait(for: 1)
    return answers[number] ?? nil
  }
}

@Suite("A database that cannot be opened at first") struct FullDiskTests {
  @Test(
    "on a full disk it is opened, and written, as soon as there is room",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
  func full() throws {
    let disk = try SmallDisk()
    let shelf = disk.shelf
    try disk.fill()
    do {
      let writer = try shelf.open()
      #expect(throws: DatabaseError.full) { try writer.content.get() }
      #expect(try shelf.write("a", 1, to: writer) == .full)
      try disk.empty()
      #expect(try shelf.write("a", 2, to: writer) == nil)
    }
    #expect(try shelf.openAgain().content.get().tables[0].map { $0[0] } == [.text("a")])
  }

  @Test("one that holds something by then is left alone, since nobody has read it")
  func unread() throws {
    let shelf = try Shelf()
    var first: DatabaseWriter? = try shelf.open()
    let second = try shelf.open()
    #expect(throws: DatabaseError.taken) { try second.content.get() }
    #expect(try first.flatMap { try shelf.write("a", 1, to: $0) } == nil)
    first = nil
    var number: UInt64 = 2
    let isRefused = try eventually {
      number += 1
      return try shelf.write("b", number, to: second) == .unread
    }
    #expect(isRefused)
    #expect(try shelf.openAgain().content.get().tables[0].map { $0[0] } == [.text("a")])
  }
}
