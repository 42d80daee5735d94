import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Root imports into a folder of the service's user, who may rename all that lies in it.
@Suite(
  "An import by root", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
struct ImportOwnerTests {
  private static let monaco = PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path
  private static let user: uid_t = 65534

  /// Root's alone, with the extract in it, and the service's user's folder beside it.
  private final class Folders {
    let url = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
    var secret: String { url.path + "/secret" }
    var data: String { url.path + "/data" }
    var extract: String { secret + "/monaco.osm.pbf" }

    init() throws {
      for path in [url.path, secret, data] { try #require(mkdir(path, 0o755) == 0) }
      chmod(url.path, 0o755)
      try FileManager.default.copyItem(atPath: monaco, toPath: extract)
      chmod(extract, 0o600)
      chmod(secret, 0o700)
      chown(data, user, user)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func run(_ arguments: String...) throws -> (text: String, exit: Int32) {
      try Program([Program.path("locationd-places")] + arguments + ["--data", data]).text()
    }

    func owners() throws -> Set<uid_t> {
      var owners: Set<uid_t> = []
      for name in try FileManager.default.subpathsOfDirectory(atPath: data) {
        var status = stat()
        if lstat("\(data)/\(name)", &status) == 0 { owners.insert(status.st_uid) }
      }
      return owners
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: data).sorted() }
    }
  }

  @Test("an extract that root alone may read is imported, for the folder's owner")
  func imported() throws {
    let folders = try Folders()
    let (said, exit) = try folders.run("--import", folders.extract)
    #expect(exit == 0, "\(said)")
    #expect(try folders.names == ["monaco.places"])
    #expect(try folders.owners() == [Self.user])
    let (removed, exitThen) = try folders.run("--remove", "monaco")
    #expect(exitThen == 0, "\(removed)")
    #expect(try folders.names.isEmpty)
  }

  @Test("what an earlier version made as root is imported anew, and taken away")
  func earlier() throws {
    for isRemoved in [false, true] {
      let folders = try Folders()
      for name in ["monaco.roads", "monaco.roads.unfinished"] {
        try #require(mkdir("\(folders.data)/\(name)", 0o755) == 0)
        try Data("old".utf8).write(to: URL(filePath: "\(folders.data)/\(name)/roads-nodes.mem"))
      }
      for name in ["monaco.places", "monaco.places.unfinished"] {
        try Data("old".utf8).write(to: URL(filePath: "\(folders.data)/\(name)"))
      }
      let (said, exit) =
        isRemoved
        ? try folders.run("--remove", "monaco") : try folders.run("--import", folders.extract)
      #expect(exit == 0, "\(said)")
      let names = try folders.names
      if isRemoved {
        #expect(!names.contains("monaco.places") && !names.contains("monaco.roads"), "\(names)")
      } else {
        #expect(names == ["monaco.places"])
        #expect(try folders.owners() == [Self.user])
      }
    }
  }

  @Test("names that the folder's owner swaps meanwhile have root write nowhere else")
  func swapped() throws {
    let folders = try Folders()
    // All may read it and look into it; root alone may write.
    let place = folders.url.path + "/place"
    let file = place + "/file"
    try #require(mkdir(place, 0o755) == 0)
    let content = Data("root's own".utf8)
    try content.write(to: URL(filePath: file))
    for name in ["roads-nodes.mem", "roads-tagging.xml"] {
      try content.write(to: URL(filePath: "\(place)/\(name)"))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
    func state() throws -> [String] {
      try (files.map { "\(place)/\($0)" } + [place]).map {
        var status = stat()
        try #require(lstat($0, &status) == 0)
        return "\($0) \(status.st_uid) \(status.st_mode) \(status.st_ino) \(status.st_mtim.tv_nsec)"
      }
    }
    let before = try state()
    let script = PrivateBus.house.appending(path: "Tests/Attackers/swap.py").path
    let attacker = try Program([
      "setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups",
      "/usr/bin/python3", script, folders.data, "monaco", file, place,
    ])
    #expect(try attacker.line() == "swapping")
    var exits: [Int32] = []
    for _ in 0..<6 { exits.append(try folders.run("--import", folders.extract).exit) }
    _ = try folders.run("--remove", "monaco")
    attacker.signal(SIGKILL)
    _ = try attacker.exit()
    print("swapped: six imports end with \(exits)")
    #expect(try state() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == files)
    for name in files {
      #expect(try Data(contentsOf: URL(filePath: "\(place)/\(name)")) == content, "\(name)")
    }
    #expect(try folders.owners() == [Self.user])
  }
}
