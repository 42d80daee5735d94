import Foundation
import TestSupport
import Testing

@Suite("A repository of packages") final class RepositoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "apt-\(UUID())")
  private let key = "ann@example.org"

  init() throws {
    try make("keys", "machine/etc/apt/sources.list.d", "machine/var/lib/dpkg")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path("keys"))
    try "".write(toFile: path("machine/var/lib/dpkg/status"), atomically: true, encoding: .utf8)
  }

  deinit {
    // gpg leaves an agent behind.
    _ = try? run(["gpgconf", "--kill", "all"])
    try? FileManager.default.removeItem(at: folder)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func make(_ folders: String...) throws {
    for name in folders {
      try FileManager.default.createDirectory(
        atPath: path(name), withIntermediateDirectories: true)
    }
  }

  private func run(_ command: [String]) throws -> (text: String, exit: Int32) {
    try Program(command, environment: ["GNUPGHOME": path("keys"), "LC_ALL": "C"]).text()
  }

  private func package(_ version: String, _ summary: String = "Core Location") throws -> String {
    try make("package/DEBIAN")
    try """
    Package: locationd
    Version: \(version)
    Architecture: amd64
    Maintainer: Ann <ann@example.org>
    Description: \(summary)

    """.write(toFile: path("package/DEBIAN/control"), atomically: true, encoding: .utf8)
    let file = path("\(version).deb")
    try #require(try run(["dpkg-deb", "-Znone", "--build", path("package"), file]).exit == 0)
    return file
  }

  private func repository(_ package: String) throws -> (text: String, exit: Int32) {
    try run([
      Checkout.path + "/config/repository/make", path("apt"), key, "file:" + path("apt"), package,
    ])
  }

  private func apt(_ words: [String]) throws -> (text: String, exit: Int32) {
    let root = path("machine")
    return try run(
      words + [
        "-o", "Dir=\(root)", "-o", "Dir::State::status=\(root)/var/lib/dpkg/status", "-o",
        "APT::Sandbox::User=root",
      ])
  }

  @Test("apt finds the newest of its packages by its key, and refuses what somebody else changed")
  func signed() throws {
    let first = try package("1.0+git1")
    let refusal = try repository(first)
    #expect(refusal.exit == 1 && refusal.text.contains("gpg --quick-generate-key '\(key)'"))
    try #require(
      try run([
        "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", key, "default",
        "default", "never",
      ]).exit == 0)
    for file in [first, try package("1.0+git2"), first] {
      let made = try repository(file)
      #expect(made.exit == 0 && made.text.contains("sudo apt install locationd"), "\(made.text)")
      let copied = made.text.matches(of: #/sudo cp (\S+)/#).map { String($0.output.1) }
      #expect(copied.count == 2, "\(made.text)")
      for file in copied { #expect(FileManager.default.fileExists(atPath: file), "\(file)") }
    }
    let other = try repository(try package("1.0+git1", "another of the same version"))
    #expect(other.exit == 1 && other.text.contains("give the new one another version"))

    // A machine has them where the words say.
    try String(contentsOfFile: path("apt/locationd.sources"), encoding: .utf8)
      .replacing("/etc/apt/keyrings", with: path("apt"))
      .write(
        toFile: path("machine/etc/apt/sources.list.d/locationd.sources"), atomically: true,
        encoding: .utf8)
    let update = try apt(["apt-get", "update"])
    #expect(update.exit == 0, "\(update.text)")
    let policy = try apt(["apt-cache", "policy", "locationd"]).text
    #expect(policy.contains("Candidate: 1.0+git2") && policy.contains(" 1.0+git1 "), "\(policy)")

    let release = path("apt/dists/stable/InRelease")
    try String(contentsOfFile: release, encoding: .utf8)
      .replacing("Origin: locationd", with: "Origin: mallory")
      .write(toFile: release, atomically: true, encoding: .utf8)
    let changed = try apt(["apt-get", "update", "-o", "APT::Update::Error-Mode=any"])
    #expect(changed.exit != 0 && changed.text.contains("BADSIG"), "\(changed.text)")
  }
}
