import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import LocationClient

/// An agent's look at a program of its user's.
@Suite("Sight of a program") struct ProgramSightTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/sight-\(UUID().uuidString)"

  private func run(
    _ command: [String], in environment: [String] = [],
    check: (String?, String?, Bool) throws -> Void
  ) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "echo ready; read line <&1".write(
      toFile: folder + "/walk.sh", atomically: true, encoding: .utf8)
    let child = try Child(
      ["/usr/bin/env", "-i", "-C", folder] + environment + command, output: .pipe)
    #expect(try child.line() == "ready")
    let sight = try #require(ProgramSight.look(at: child.pid))
    try check(
      sight["exe"]?.string, sight["script"]?.string, sight["shared"] == .bool(true))
    child.end()
  }

  @Test("a script is named by its file, wherever it was started from")
  func script() throws {
    for file in [folder + "/walk.sh", "walk.sh", "./walk.sh"] {
      try run(["/bin/bash", file]) { exe, script, isShared in
        #expect(exe?.hasSuffix("/bash") == true)
        #expect(script == URL(filePath: folder + "/walk.sh").resolvingSymlinksInPath().path)
        #expect(isShared)
      }
    }
  }

  @Test(
    "with an option, a text, standard input or preloading it is the interpreter, which others share"
  )
  func interpreter() throws {
    for (command, environment) in [
      (["/bin/bash", "-c", "echo ready; read line <&1"], []),
      (["/bin/bash", "-e", folder + "/walk.sh"], []),
      (["/bin/bash", folder + "/walk.sh"], ["LD_PRELOAD="]),
      (["/bin/bash", folder + "/walk.sh"], ["BASH_ENV=/dev/null"]),
      (["/bin/bash", "-c", "exec /bin/bash /dev/stdin <<< 'echo ready; read line <&1'"], []),
    ] {
      try run(command, in: environment) { exe, script, isShared in
        #expect(exe?.hasSuffix("/bash") == true)
        #expect(script == nil, "\(command)")
        #expect(isShared)
      }
    }
  }
}
