import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Where a database lies") struct DatabasePlaceTests {
  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Why it cannot be used.
  private func complaint(_ shelf: Shelf, path: String? = nil) throws -> String {
    let writer = try DatabaseWriter(
      path: path ?? shelf.path, Shelf.schema, reading: [], on: shelf.loop
    ) { _, _ in }
    do throws(DatabaseError) { _ = try writer.content.get() } catch { return "\(error)" }
    return "it is used"
  }

  @Test(
    "a link is not followed, and what it leads to stays as it is",
    arguments: ["", "-wal", "-journal"], [true, false])
  func links(file: String, isSymbolic: Bool) throws {
    let shelf = try Shelf()
    if !file.isEmpty {
      do { _ = try shelf.open() }
      let isClosed = eventually { access(shelf.path + "-wal", F_OK) != 0 }
      #expect(isClosed)
    }
    let target = shelf.folder.appending(path: "target").path
    try Data("mine".utf8).write(to: URL(filePath: target))
    chmod(target, 0o644)
    let result =
      isSymbolic ? symlink(target, shelf.path + file) : link(target, shelf.path + file)
    #expect(result == 0)
    #expect(try complaint(shelf).contains(isSymbolic ? "is a link" : "another name"))
    #expect(try mode(of: target) == 0o644)
    #expect(try Data(contentsOf: URL(filePath: target)) == Data("mine".utf8))
  }

  @Test("nor is one in place of its folder, though links above that are")
  func folderLink() throws {
    let shelf = try Shelf()
    let real = shelf.folder.appending(path: "real").path
    let shortcut = shelf.folder.appending(path: "shortcut").path
    #expect(mkdir(real, 0o755) == 0)
    #expect(symlink(real, shortcut) == 0)
    for path in ["\(shortcut)/a.db", "\(shortcut)//a.db"] {
      #expect(
        try complaint(shelf, path: path) == "its folder is a link, and links are not followed")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: real).isEmpty)
    #expect(try mode(of: real) == 0o755)
    #expect(try complaint(shelf, path: "\(shortcut)/state//a.db") == "it is used")
    #expect(try mode(of: "\(real)/state") == 0o700)
    #expect(try mode(of: "\(real)/state/a.db") == 0o600)
  }

  @Test("a folder that others may write to is not trusted")
  func open() throws {
    let shelf = try Shelf()
    chmod(shelf.folder.path, 0o1777)
    #expect(try complaint(shelf) == "others may write to its folder (mode 1777)")
    #expect(access(shelf.path, F_OK) != 0)
    chmod(shelf.folder.path, 0o755)
    #expect(try complaint(shelf) == "it is used")
  }

  @Test(
    "neither are another user's folder and file",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
  func foreign() throws {
    let shelf = try Shelf()
    chown(shelf.folder.path, 65534, 65534)
    #expect(try complaint(shelf) == "its folder belongs to another user (uid 65534)")
    chown(shelf.folder.path, 0, 0)
    try Data().write(to: URL(filePath: shelf.path))
    chown(shelf.path, 65534, 65534)
    #expect(try complaint(shelf) == "it belongs to another user (uid 65534)")
  }

  @Test("a file that others could read is theirs no more")
  func tightened() throws {
    let shelf = try Shelf()
    try Data().write(to: URL(filePath: shelf.path))
    chmod(shelf.path, 0o644)
    #expect(try complaint(shelf) == "it is used")
    #expect(try mode(of: shelf.path) == 0o600)
  }

  @Test("a folder in which nothing may be made is called so")
  func readOnly() throws {
    let shelf = try Shelf()
    var reason = EACCES
    if getuid() == 0 {
      let mount = [
        "mount", "-t", "tmpfs", "-o", "ro,mode=700", "locationd-test", shelf.folder.path,
      ]
      try #require(try Child(mount).exit() == 0, "nothing can be mounted")
      reason = EROFS
    } else {
      chmod(shelf.folder.path, 0o500)
    }
    defer {
      if reason == EROFS {
        _ = try? Child(["umount", "--lazy", shelf.folder.path]).exit()
      } else {
        chmod(shelf.folder.path, 0o700)
      }
    }
    #expect(try complaint(shelf) == "it cannot be made: \(String(cString: strerror(reason)))")
  }
}

@Suite("A database that goes while it is open") struct LostDatabaseTests {
  private func write(_ name: String, _ shelf: Shelf, _ writer: DatabaseWriter) throws
    -> DatabaseError?
  {
    shelf.answers = [:]
    writer.write([insert(name)], number: 1)
    try shelf.wait(for: 1)
    return shelf.answers[1] ?? nil
  }

  /// The content that a second program, started after this one was killed, would find.
  private func found(_ shelf: Shelf) throws -> [String] {
    let copy = try Shelf()
    for file in ["", "-wal"] where access(shelf.path + file, F_OK) == 0 {
      try FileManager.default.copyItem(atPath: shelf.path + file, toPath: copy.path + file)
    }
    return try copy.open().content.get().tables[0].compactMap { $0[0].text }
  }

  @Test(
    "what is answered as written is found at the next start, whichever of its files went",
    arguments: [[""], ["-wal"], ["", "-wal"], ["folder"]])
  func unlinked(files: [String]) throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    var restored = 0
    writer.restored = { restored += 1 }
    #expect(try write("before", shelf, writer) == nil)
    if files == ["folder"] {
      try FileManager.default.removeItem(at: shelf.folder)
    } else {
      for file in files { #expect(unlink(shelf.path + file) == 0) }
    }
    #expect(try write("after", shelf, writer) == nil)
    #expect(restored == 1)
    #expect(try found(shelf) == ["after", "before"])
    #expect(try write("later", shelf, writer) == nil)
    #expect(restored == 1)
    #expect(try found(shelf) == ["after", "before", "later"])
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: shelf.folder.path)).count == 2)
    for file in ["", "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: shelf.path + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(
    "where another file was put in its place, that stays as it is and nothing is answered as written"
  )
  func replaced() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    #expect(try write("before", shelf, writer) == nil)
    let aside = shelf.path + "-aside"
    #expect(rename(shelf.path, aside) == 0)
    try Data("a backup".utf8).write(to: URL(filePath: shelf.path))
    #expect(try write("after", shelf, writer) == .replaced)
    #expect(try Data(contentsOf: URL(filePath: shelf.path)) == Data("a backup".utf8))
    // Put back, it is written again.
    #expect(rename(aside, shelf.path) == 0)
    #expect(try write("later", shelf, writer) == nil)
    #expect(try found(shelf).contains("later"))
  }

  @Test("where it cannot be written anew, nothing is answered as written until it can")
  func noFolder() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    #expect(try write("before", shelf, writer) == nil)
    try FileManager.default.removeItem(at: shelf.folder)
    try Data().write(to: shelf.folder)
    let error = try write("during", shelf, writer)
    #expect(error == .failed("its folder is none"))
    try FileManager.default.removeItem(at: shelf.folder)
    #expect(try write("after", shelf, writer) == nil)
    #expect(try found(shelf).contains("before"))
    #expect(try found(shelf).contains("after"))
  }
}
