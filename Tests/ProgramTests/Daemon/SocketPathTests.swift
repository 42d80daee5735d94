import Foundation
import Glibc
import TestSupport
import Testing

/// A program with more rights than the person who runs it.
@Suite("Where a privileged program looks for its services") struct SocketPathTests {
  @Test(
    "a setuid program, and one with file capabilities, is not led to another's socket",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
  func setuidProgram() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "setuid-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try #require(chmod(folder.path, 0o755) == 0)
    let program = folder.appending(path: "locationctl").path
    try Program.copy(Program.path("locationctl"), to: program)
    let decoy = "/tmp/decoy-\(UUID())"
    /// What the program says to a person without rights.
    func said(_ arguments: String...) throws -> String {
      let variables = [
        "LOCATIOND_SOCKET", "LOCATIOND_PLACES_SOCKET", "LOCATIOND_TRACKER_SOCKET",
      ]
      return try Program(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program] + arguments,
        environment: Dictionary(uniqueKeysWithValues: variables.map { ($0, decoy) })
      ).text().text
    }
    func all() throws -> [String] {
      [try said("status"), try said("geocode", "Seoul"), try said("track", "status")]
    }
    // The variables are followed as long as the program has no more rights than its user.
    for text in try all() { #expect(text.contains(decoy), "\(text)") }
    try #require(chmod(program, 0o4755) == 0)
    for text in try all() { #expect(!text.contains(decoy) && !text.isEmpty, "\(text)") }
    try #require(chmod(program, 0o755) == 0)
    let setcap = ["/usr/sbin/setcap", "/sbin/setcap"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let setcap {
      let (words, exit) = try Program([setcap, "cap_net_bind_service+ep", program]).text()
      try #require(exit == 0, "\(words)")
      for text in try all() { #expect(!text.contains(decoy) && !text.isEmpty, "\(text)") }
    }
  }
}
