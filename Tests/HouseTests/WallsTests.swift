import Foundation
import Testing

/// The plan of the house: what each room may import, and what some may not name.
@Suite("Walls") struct WallsTests {
  static let plan: [String: Set<String>] = [
    "LocationModel": [],
    "LocationCore": ["LocationModel", "CGPS", "CGeographic"],
    "Platform": ["LocationModel", "CLinux", "CSQLite", "CSystemd", "Glibc", "Synchronization"],
    "DBus": ["LocationModel", "CDBus", "Platform", "Glibc"],
    "Console": ["LocationModel"],
    "locationd": ["Console", "DBus", "LocationCore", "LocationModel", "Platform", "Glibc"],
    "LocationClient": ["LocationModel", "Glibc"],
    "locationd-agent": ["Console", "DBus", "LocationClient", "LocationModel", "Platform", "Glibc"],
    "locationctl": ["Console", "LocationClient", "LocationCore", "LocationModel", "Glibc"],
  ]
  /// C headers and a module map, or C with a face for Swift: no Swift inside.
  static let windows: Set<String> = [
    "CDBus", "CGPS", "CGeographic", "CLinux", "CSQLite", "CSystemd",
  ]
  /// Thought knows no clock, thread, environment or file.
  static let thought: Set<String> = ["LocationModel", "LocationCore"]
  static let refusedInThought = [
    "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", "FileManager",
    "ProcessInfo", "CommandLine", "print(",
  ]
  static let refusedEverywhere = [
    "try!", "fatalError", "as! ", "@unchecked", "nonisolated(unsafe)",
  ]

  @Test("every room of the house is on the plan, and nothing else is in Sources")
  func rooms() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: House.sources.path)
    #expect(Set(folders) == Set(Self.plan.keys).union(Self.windows).union(["README.md"]))
  }

  @Test("a room imports only what the plan allows", arguments: plan.keys.sorted())
  func imports(room: String) throws {
    let allowed = try #require(Self.plan[room])
    let files = try House.files(of: room)
    #expect(!files.isEmpty)
    for file in files {
      for module in file.imports where !allowed.contains(module) {
        Issue.record("\(file.name) imports \(module)")
      }
    }
  }

  @Test("the plan has no circle and nobody imports a program")
  func noCircle() {
    func reaches(_ room: String, _ goal: String) -> Bool {
      (Self.plan[room] ?? []).contains { $0 == goal || reaches($0, goal) }
    }
    for room in Self.plan.keys {
      #expect(!reaches(room, room))
      #expect(
        (Self.plan[room] ?? []).isDisjoint(with: ["locationd", "locationd-agent", "locationctl"]))
    }
  }

  @Test("what is thought asks no clock, file, process or environment", arguments: thought.sorted())
  func thoughtTouchesNothing(room: String) throws {
    for file in try House.files(of: room) {
      for word in Self.refusedInThought where file.code.contains(word) {
        Issue.record("\(file.name) names \(word)")
      }
    }
  }

  @Test("no file gives up instead of telling what is wrong", arguments: plan.keys.sorted())
  func noTraps(room: String) throws {
    for file in try House.files(of: room) {
      for word in Self.refusedEverywhere where file.code.contains(word) {
        Issue.record("\(file.name) has \(word)")
      }
    }
  }

  @Test("GeographicLib is called from the files for distances and for the magnetic field only")
  func oneFileForGeographic() throws {
    let users = try House.files(of: "LocationCore").filter { $0.imports.contains("CGeographic") }
    #expect(
      Set(users.map(\.name)) == [
        "LocationCore/Geodesy.swift", "LocationCore/Selection/Magnetism.swift",
      ])
  }

  @Test("libgps is called from one file of the core")
  func oneFileForGPS() throws {
    let users = try House.files(of: "LocationCore").filter { $0.imports.contains("CGPS") }
    #expect(users.map(\.name) == ["LocationCore/Receivers/Gpsd/GpsdUnpacker.swift"])
  }

  @Test("no file is longer than 400 lines", arguments: plan.keys.sorted())
  func shortFiles(room: String) throws {
    for file in try House.files(of: room) {
      #expect(file.lines.count <= 400, "\(file.name)")
    }
  }

  @Test("a breach would be found")
  func breach() {
    let file = House.File(
      name: "LocationCore/Bad.swift",
      text:
        "internal import Glibc\n@testable import struct Foundation.Date\n// Date.now is fine here\n"
    )
    #expect(file.imports == ["Glibc", "Foundation"])
    #expect(!file.code.contains("Date.now"))
  }
}

/// The sources, as this checkout has them.
enum House {
  static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  struct File {
    var name: String
    var lines: [Substring]

    init(name: String, text: String) {
      self.name = name
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Without comments.
    var code: String {
      lines.map { $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0] }
        .joined(separator: "\n")
    }

    var imports: [String] {
      lines.compactMap { line in
        var words = line.split(separator: " ")[...]
        while let first = words.first, first != "import" {
          guard
            first.hasPrefix("@")
              || ["internal", "package", "public", "private", "fileprivate"]
                .contains(first)
          else { return nil }
          words = words.dropFirst()
        }
        words = words.dropFirst()
        if let kind = words.first, ["struct", "class", "enum", "func", "protocol"].contains(kind) {
          words = words.dropFirst()
        }
        return words.first.map { String($0.split(separator: ".")[0]) }
      }
    }
  }

  static func files(of room: String) throws -> [File] {
    let folder = sources.appending(path: room)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") }.map {
      File(
        name: "\(room)/\($0)",
        text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }
}
