import Foundation
import Testing

/// The plan of the house: what each room may import, and what some may not name.
@Suite("Walls") struct WallsTests {
  /// The table of Sources/README.md: what each room imports.
  static let plan: [String: Set<String>] = {
    let rows = House.page.split(separator: "\n## ")[0].matches(
      of: #/(?m)^\| `([\w-]+)` \| [^|]+ \|([^|\n]*)\|$/#)
    return Dictionary(
      rows.map { row in
        (String(row.1), Set(row.2.split { ", ".contains($0) }.map(String.init)))
      }, uniquingKeysWith: { $1 })
  }()
  /// C headers and a module map, or C with a face for Swift: no Swift inside.
  static let windows: Set<String> = [
    "CCurl", "CDBus", "CEnvironment", "CGPS", "CGeographic", "CLinux", "CMicrohttpd", "CMosquitto",
    "COsmium", "CSQLite", "CSystemd", "CVersion",
  ]
  /// The rooms that an app sees.
  static let libraries: Set<String> = ["Contacts", "CoreLocation", "GeoToolbox", "MapKit"]
  /// The ways to a network, and the C libraries behind them.
  static let network: Set<String> = [
    "HTTPClient", "MQTT", "HTTPServer", "CCurl", "CMosquitto", "CMicrohttpd",
  ]
  /// Thought knows no clock, thread, environment or file.
  static let thought: Set<String> = [
    "LocationModel", "Geodesy", "LocationCore", "PlaceCore", "ReceiverCore", "ShareCore",
    "TrackCore",
  ]
  static let programs: Set<String> = [
    "build-places", "locationd", "locationd-agent", "locationd-tracker", "locationctl",
    "locationd-places", "locationd-map", "locationd-share", "locationd-timezone",
  ]
  static let refusedInThought = [
    "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchTime", "FileManager",
    "ProcessInfo", "CommandLine", "print(",
  ]
  static let refusedEverywhere = [
    "try!", "fatalError", "as! ", "nonisolated(unsafe)",
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

  @Test("the benchmarks' package gives each room what the plan gives it")
  func benchmarks() throws {
    let manifest = House.sources.deletingLastPathComponent()
      .appending(path: "Tests/Benchmarks/Package.swift")
    let rooms = try String(contentsOf: manifest, encoding: .utf8)
      .matches(of: #/room\("(\w+)"(?:, \[([^\]]*)\])?\)/#)
    #expect(!rooms.isEmpty)
    let systems: Set = ["Dispatch", "Foundation", "Glibc", "Synchronization"]
    for room in rooms {
      let given = Set((room.2 ?? "").split { "\", ".contains($0) }.map(String.init))
      #expect(Self.plan[String(room.1)]?.subtracting(systems) == given, "\(room.1)")
    }
  }

  private static func reaches(_ room: String, _ goal: String) -> Bool {
    (plan[room] ?? []).contains { $0 == goal || reaches($0, goal) }
  }

  @Test("the plan has no circle and nobody imports a program")
  func noCircle() {
    for room in Self.plan.keys {
      #expect(!Self.reaches(room, room))
      #expect(
        (Self.plan[room] ?? []).isDisjoint(with: Self.programs))
    }
  }

  @Test("the daemon, which knows the location, has no way to the network")
  func noNetwork() {
    for room in ["locationd", "LocationCore", "ReceiverCore", "ShareCore", "locationd-share"] {
      for way in Self.network { #expect(!Self.reaches(room, way), "\(room) reaches \(way)") }
    }
  }

  @Test("what answers questions about places does not know where the machine is")
  func placesKnowNoLocation() {
    for room in ["locationd-places", "PlaceCore", "PlaceStore", "PlaceImport"] {
      #expect(!Self.reaches(room, "LocationCore") && !Self.reaches(room, "LocationClient"))
    }
  }

  @Test("what serves the map knows nothing but what its parent says, and reaches no other machine")
  func mapKnowsNothing() {
    for room in [
      "LocationCore", "LocationClient", "PlaceStore", "TrackStore", "HTTPClient", "MQTT",
    ] {
      #expect(!Self.reaches("locationd-map", room), "it reaches \(room)")
    }
  }

  @Test("each C library is seen by one room", arguments: windows.sorted())
  func oneRoom(window: String) {
    #expect(Self.plan.values.count { $0.contains(window) } == 1)
  }

  @Test(
    "only libraries are public, and only they use all of Foundation", arguments: plan.keys.sorted())
  func nothingPublic(room: String) throws {
    guard !Self.libraries.contains(room) else { return }
    #expect(Self.plan[room]?.contains("Foundation") == false)
    for file in try House.files(of: room) {
      let shown = file.lines.filter { $0.contains("public ") && $0.contains(#/^\s*public /#) }
      #expect(shown.isEmpty, "\(file.name)")
    }
  }

  /// The words of each room and each folder of tests.
  private static let words = Result {
    try House.folders().mapValues { files in Set(files.flatMap(\.words)) }
  }

  /// Members that the compiler names where a text has values in it.
  private static let unnamed: Set = ["appendLiteral", "appendInterpolation"]

  @Test("what a room shows is named outside of it", arguments: plan.keys.sorted())
  func nothingShownInVain(room: String) throws {
    let outside = try Self.words.get().filter { $0.key != room && $0.key != "\(room)Tests" }
      .values
    let member =
      #/^\s*(?:@\w+ )*package (?:private\(set\) |static |mutating |consuming )*(?:func|var|let) `?(\w+)/#
    for file in try House.files(of: room) {
      for line in file.lines {
        guard line.contains("package "), let name = line.firstMatch(of: member)?.1,
          !Self.unnamed.contains(String(name)), !outside.contains(where: { $0.contains(name) })
        else { continue }
        Issue.record("\(file.name) shows \(name)")
      }
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

  /// The types that the compiler cannot prove to be Sendable, and why they are.
  static let unchecked: [String: Set<String>] = [
    "its open class has constants only": [
      "CLBeacon", "CLBeaconIdentityConstraint", "CLBeaconRegion", "CLCircularRegion", "CLFloor",
      "CLHeading", "CLLocation", "CLLocationSourceInformation", "CLPlacemark", "CLRegion",
      "CLVisit", "ETAResponse", "MKAddress", "MKAddressRepresentations", "MKDirections",
      "MKLocalSearch", "MKLocalSearchCompletion",
      "MKMapItemRequest", "MKPlacemark", "MKRoute", "Response", "Step",
    ],
    "its variables are behind a lock": ["Guarded", "MKLocalSearchCompleter", "State"],
    "its variables are the app's to guard, as in Apple's": [
      "CNMutablePostalAddress", "CNPostalAddress", "MKGeocodingRequest", "MKMapItem",
      "MKReverseGeocodingRequest", "TileLoader",
    ],
    "its bytes are read only": ["RoadNetwork", "RoadOverlay"],
    "its thread has ended when another reads it": ["Share"],
    "it is used on the queue that it names": ["Address", "Callback", "CallbackQueue"],
  ]

  @Test("a type that is Sendable by its word alone is on the list")
  func uncheckedTypes() throws {
    let files = try Self.plan.keys.flatMap { try House.files(of: $0) }
    let found = files.flatMap { file in
      file.code.matches(of: #/(?:class|struct) (\w+)(?:<[^>]*>)?:[^{]*@unchecked/#)
        .map { String($0.1) }
    }
    #expect(Set(found) == Self.unchecked.values.reduce([]) { $0.union($1) })
    #expect(
      files.reduce(0) { $0 + $1.code.split(separator: "@unchecked").count - 1 } == found.count)
  }

  @Test(
    "the socket of a service is named by SocketPath, which the environment of a setuid program moves not"
  )
  func socketPaths() throws {
    let way = try String(
      contentsOf: House.sources.appending(path: "LocationClient/SocketPath.swift"), encoding: .utf8)
    #expect(way.contains("secure_getenv(variable)"))
    for room in Self.plan.keys {
      for file in try House.files(of: room) {
        for line in file.codeLines
        where line.contains("SOCKET") && line.contains(#/"LOCATIOND_\w*SOCKET"/#)
          && !line.contains("SocketPath.named(by:")
        {
          Issue.record("\(file.name): \(line)")
        }
      }
    }
    // The libraries ask the environment for other things in these files only.
    let asking = try ["LocationClient", "CoreLocation", "MapKit"].flatMap {
      try House.files(of: $0)
    }
    .filter { $0.code.contains(#/\bgetenv\(|processInfo\s*\.environment\b/#) }
    #expect(
      Set(asking.map(\.name)) == [
        // The person's language.
        "LocationClient/PlacesClient.swift",
        // Folders of the person's.
        "CoreLocation/Daemon/AppDescription.swift", "CoreLocation/Modern/MonitorFile.swift",
        // PATH and the screen.
        "MapKit/View/Desktop.swift", "MapKit/View/MapPage.swift",
      ])
  }

  @Test("libgps is called from one file")
  func oneFileForGPS() throws {
    let users = try House.files(of: "ReceiverCore").filter { $0.imports.contains("CGPS") }
    #expect(users.map(\.name) == ["ReceiverCore/Gpsd/GpsdUnpacker.swift"])
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
