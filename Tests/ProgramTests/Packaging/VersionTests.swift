import Foundation
import Testing

/// A checkout of two files.
private final class Checkout {
  let root = FileManager.default.temporaryDirectory.appending(path: "checkout-\(UUID())")

  init() throws {
    for folder in ["config", "debian"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    try Program.copy(
      Stage.house.appending(path: "config/version").path,
      to: root.appending(path: "config/version").path)
    try "locationd (0.2.0) unstable; urgency=medium\n\nlocationd (0.1.0) unstable\n".write(
      to: root.appending(path: "debian/changelog"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func run(_ command: String...) throws -> String {
    let (text, exit) = try Program(
      ["env", "-C", root.path, "TZ=Asia/Seoul"] + command
    ).text()
    try #require(exit == 0, "\(text)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  var version: String { get throws { try run("config/version") } }

  /// Its short name.
  func commit(_ date: String) throws -> String {
    _ = try run("git", "add", ".")
    _ = try run(
      "env", "GIT_COMMITTER_DATE=\(date)", "git", "-c", "user.name=a", "-c", "user.email=a",
      "commit", "--quiet", "--allow-empty", "--message=a")
    return try run("git", "rev-parse", "--short=7", "HEAD")
  }

  func change(_ file: String, _ date: String) throws {
    try Data(date.utf8).write(to: root.appending(path: file))
    _ = try run("touch", "--date=\(date)", file)
  }
}

@Suite("The version") struct VersionTests {
  private func ascend(_ versions: [String]) throws {
    for (earlier, later) in zip(versions, versions.dropFirst()) {
      let compare = ["dpkg", "--compare-versions", earlier, "lt", later]
      #expect(try Program(compare).text().exit == 0, "\(later) is no upgrade of \(earlier)")
    }
  }

  @Test("a later tree has a greater version, which says the time in UTC and the commit")
  func order() throws {
    let tree = try Checkout()
    var versions = ["0.1.0", try tree.version]
    #expect(versions[1] == "0.2.0")
    _ = try tree.run("git", "init", "--quiet")
    let first = try tree.commit("2026-11-26T23:05:59+0900")
    versions.append(try tree.version)
    #expect(versions[2] == "0.2.0+git20261126.1405.\(first)")
    try tree.change("new", "2026-11-26T14:12:00Z")
    versions.append(try tree.version)
    #expect(versions[3] == "0.2.0+git20261126.1412.\(first)+changed")
    try tree.change("new", "2026-11-26T14:13:00Z")
    versions.append(try tree.version)
    let second = try tree.commit("2026-11-26T14:20:00Z")
    versions.append(try tree.version)
    #expect(versions[5] == "0.2.0+git20261126.1420.\(second)")
    // A file that is gone, or older than the commit, has no time of its own.
    _ = try tree.run("rm", "new")
    versions.append(try tree.version)
    #expect(versions[6] == "0.2.0+git20261126.1420.\(second)+changed")
    try ascend(versions)
  }

  @Test("a part of a tree has a version of its own, which a change elsewhere leaves")
  func part() throws {
    let tree = try Checkout()
    _ = try tree.run("git", "init", "--quiet")
    try tree.change("part", "2026-11-26T14:00:00Z")
    let first = try tree.commit("2026-11-26T14:05:00Z")
    try tree.change("other", "2026-11-26T14:10:00Z")
    _ = try tree.commit("2026-11-26T14:15:00Z")
    #expect(try tree.run("config/version", "part") == "0.2.0+git20261126.1405.\(first)")
    try tree.change("part", "2026-11-26T14:20:00Z")
    #expect(try tree.run("config/version", "part") == "0.2.0+git20261126.1420.\(first)+changed")
    let last = try tree.commit("2026-11-26T14:25:00Z")
    #expect(try tree.run("config/version", "part") == "0.2.0+git20261126.1425.\(last)")
  }

  @Test("a folder in another checkout has not that checkout's version")
  func inside() throws {
    let tree = try Checkout()
    _ = try tree.run("git", "init", "--quiet")
    _ = try tree.commit("2026-11-26T14:05:00Z")
    _ = try tree.run("mkdir", "inside")
    _ = try tree.run("cp", "-r", "config", "debian", "inside")
    #expect(try tree.run("inside/config/version") == "0.2.0")
  }

  @Test("the file for the compiler is written only when the version is another one")
  func written() throws {
    let tree = try Checkout()
    let file = tree.root.appending(path: "tree.c")
    func write() throws -> String {
      _ = try tree.run("config/version", "--write", file.path)
      return try String(contentsOf: file, encoding: .utf8)
    }
    #expect(try write().contains("return \"0.2.0\";"))
    _ = try tree.run("touch", "--date=2026-01-01", file.path)
    let changed = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    _ = try write()
    let after = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
    #expect(changed as? Date == after as? Date)
    _ = try tree.run("sed", "-i", "s/0.2.0/0.3.0/", "debian/changelog")
    #expect(try write().contains("return \"0.3.0\";"))
  }

  @Test("built without make, it is the changelog's")
  func changelog() throws {
    let changelog = try String(
      contentsOf: Stage.house.appending(path: "debian/changelog"), encoding: .utf8)
    let newest = try #require(changelog.firstMatch(of: #/^locationd \((.*)\)/#)?.1)
    let code = try String(
      contentsOf: Stage.house.appending(path: "Sources/CVersion/changelog.c"), encoding: .utf8)
    #expect(code.contains("return \"\(newest)\";"))
  }
}
