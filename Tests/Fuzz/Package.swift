// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since a fuzzer's runtime brings a `main` that ordinary builds must not have.
// The rooms under test are linked into it, so that it sees what the house sees.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library", "-enable-testing"]),
]

/// A program whose entry is not used here.
func program(_ name: String) -> [SwiftSetting] {
  let entry = ["-entry-point-function-name", "\(String(name.map { $0 == "-" ? "_" : $0 }))_main"]
  return settings + [.unsafeFlags(entry.flatMap { ["-Xfrontend", $0] })]
}

let package = Package(
  name: "fuzz",
  targets: [
    .target(name: "LocationModel", swiftSettings: settings),
    .target(
      name: "Geodesy", dependencies: ["CGeographic", "LocationModel"], swiftSettings: settings),
    .target(
      name: "ReceiverCore", dependencies: ["CGPS", "Geodesy", "LocationModel"],
      swiftSettings: settings),
    .target(
      name: "LocationCore", dependencies: ["Geodesy", "LocationModel", "ReceiverCore"],
      swiftSettings: settings
    ),
    .target(
      name: "Platform", dependencies: ["CLinux", "CSQLite", "CSystemd", "LocationModel"],
      swiftSettings: settings),
    .target(
      name: "DBus", dependencies: ["CDBus", "LocationModel", "Platform"], swiftSettings: settings),
    .target(name: "ShareCore", dependencies: ["LocationModel"], swiftSettings: settings),
    .target(
      name: "TrackCore", dependencies: ["Geodesy", "LocationModel"], swiftSettings: settings),
    .target(
      name: "TrackStore", dependencies: ["LocationModel", "Platform", "TrackCore"],
      swiftSettings: settings),
    .target(
      name: "PlaceCore", dependencies: ["Geodesy", "LocationModel"], swiftSettings: settings),
    .target(
      name: "Console", dependencies: ["CVersion", "LocationModel", "Platform"],
      resources: [.embedInCode("phrases.txt")],
      swiftSettings: settings),
    .target(
      name: "LocationClient", dependencies: ["CEnvironment", "LocationModel"],
      swiftSettings: settings),
    .target(
      name: "locationd",
      dependencies: [
        "Console", "DBus", "Geodesy", "LocationClient", "LocationCore", "LocationModel",
        "Platform", "ReceiverCore",
      ],
      swiftSettings: program("locationd")),
    .target(
      name: "locationctl",
      dependencies: [
        "Console", "Geodesy", "LocationClient", "LocationCore", "LocationModel", "PlaceCore",
        "Platform", "ReceiverCore", "TrackCore", "TrackStore",
      ],
      swiftSettings: program("locationctl")),
    .target(
      name: "HTTPServer", dependencies: ["CMicrohttpd", "LocationModel", "Platform"],
      swiftSettings: settings),
    .target(
      name: "locationd-map",
      dependencies: ["Console", "HTTPServer", "LocationModel", "PlaceCore", "Platform"],
      resources: [.embedInCode("Page")], swiftSettings: program("locationd-map")),
    .target(
      name: "PlaceStore", dependencies: ["Geodesy", "LocationModel", "PlaceCore", "Platform"],
      swiftSettings: settings),
    .target(
      name: "PlaceImport",
      dependencies: ["COsmium", "Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform"],
      swiftSettings: settings),
    .target(
      name: "build-places",
      dependencies: ["Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform"],
      swiftSettings: program("build-places")),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1"),
    .systemLibrary(name: "CEnvironment"),
    .target(name: "CVersion"),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
    .target(name: "CGPS", linkerSettings: [.linkedLibrary("gps")]),
    .target(name: "CGeographic", linkerSettings: [.linkedLibrary("GeographicLib")]),
    .target(
      name: "COsmium",
      cxxSettings: [.define("NDEBUG"), .unsafeFlags(["-fsanitize=fuzzer-no-link"])],
      linkerSettings: [.linkedLibrary("z")]),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Console", "DBus", "HTTPServer", "LocationCore", "LocationModel", "PlaceCore",
        "PlaceImport", "Platform", "ReceiverCore", "ShareCore", "TrackCore", "build-places",
        "locationctl",
        "locationd",
        "locationd-map",
      ],
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"]), .linkedLibrary("m")]),
  ],
  cxxLanguageStandard: .cxx17
)
