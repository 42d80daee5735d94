// swift-tools-version: 6.2
import Foundation
import PackageDescription

// GeographicLib is linked in where there is its archive: what is used of it is small, and the daemon holds
// 300 kB less than with the whole. Elsewhere it is what pkg-config says.
let libraries = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
let multiarch = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
let hasArchive = (libraries + multiarch.map { "/usr/lib/" + $0 }).contains {
  FileManager.default.fileExists(atPath: $0 + "/libGeographicLib.a")
}

let package = Package(
  name: "locationd",
  products: [
    // For apps: Core Location's own names. It wants libgeographiclib-dev and nothing else.
    .library(name: "CoreLocation", targets: ["CoreLocation"]),
    // Search, places and their geometry.
    .library(name: "MapKit", targets: ["MapKit"]),
    // Postal addresses, and descriptions of places, as Core Location and MapKit take and give them.
    .library(name: "Contacts", targets: ["Contacts"]),
    .library(name: "GeoToolbox", targets: ["GeoToolbox"]),
    .executable(name: "locationd", targets: ["locationd"]),
    .executable(name: "locationctl", targets: ["locationctl"]),
    .executable(name: "locationd-agent", targets: ["locationd-agent"]),
    .executable(name: "locationd-tracker", targets: ["locationd-tracker"]),
    .executable(name: "locationd-places", targets: ["locationd-places"]),
    .executable(name: "locationd-map", targets: ["locationd-map"]),
    .executable(name: "locationd-timezone", targets: ["locationd-timezone"]),
    .executable(name: "locationd-share", targets: ["locationd-share"]),
  ],
  targets: [
    // The words.
    .target(name: "LocationModel"),

    // Thought, and the machine: neither knows the other.
    .target(name: "Geodesy", dependencies: ["CGeographic", "LocationModel"]),
    .target(name: "ReceiverCore", dependencies: ["CGPS", "Geodesy", "LocationModel"]),
    .target(name: "LocationCore", dependencies: ["Geodesy", "LocationModel", "ReceiverCore"]),
    .target(name: "TrackCore", dependencies: ["Geodesy", "LocationModel"]),
    .target(name: "Platform", dependencies: ["CLinux", "CSQLite", "CSystemd", "LocationModel"]),
    .target(name: "DBus", dependencies: ["CDBus", "LocationModel", "Platform"]),

    // The programs, and the client that others build on.
    .target(
      name: "Console", dependencies: ["CVersion", "LocationModel", "Platform"],
      resources: [.embedInCode("phrases.txt")]),
    .executableTarget(
      name: "locationd",
      dependencies: [
        "Console", "DBus", "Geodesy", "LocationClient", "LocationCore", "LocationModel",
        "Platform", "ReceiverCore",
      ]),
    .target(name: "LocationClient", dependencies: ["CEnvironment", "LocationModel"]),
    .executableTarget(
      name: "locationctl",
      dependencies: [
        "Console", "Geodesy", "LocationClient", "LocationCore", "LocationModel", "PlaceCore",
        "Platform", "ReceiverCore", "TrackCore", "TrackStore",
      ]),

    .executableTarget(
      name: "locationd-agent",
      dependencies: ["Console", "DBus", "LocationClient", "LocationModel", "Platform"]),

    // The track: on the disk, and on its way to servers.
    .target(name: "TrackStore", dependencies: ["LocationModel", "Platform", "TrackCore"]),
    .target(name: "HTTPClient", dependencies: ["CCurl", "LocationModel", "Platform"]),
    .target(name: "MQTT", dependencies: ["CMosquitto", "LocationModel", "Platform"]),
    .executableTarget(
      name: "locationd-tracker",
      dependencies: [
        "Console", "DBus", "HTTPClient", "LocationClient", "LocationModel", "MQTT", "Platform",
        "TrackCore", "TrackStore",
      ]),

    // A receiver's words, for programs that speak no other.
    .target(name: "ShareCore", dependencies: ["LocationModel"]),
    .executableTarget(
      name: "locationd-share",
      dependencies: ["Console", "LocationClient", "LocationModel", "Platform", "ShareCore"]),

    // The page of the map, for the user who started it.
    .target(name: "HTTPServer", dependencies: ["CMicrohttpd", "LocationModel", "Platform"]),
    .executableTarget(
      name: "locationd-map",
      dependencies: ["Console", "HTTPServer", "LocationModel", "PlaceCore", "Platform"],
      resources: [.embedInCode("Page")]),

    // All programs, which `make release` builds at once.
    .target(
      name: "Programs",
      dependencies: [
        "locationctl", "locationd", "locationd-agent", "locationd-map", "locationd-places",
        "locationd-share", "locationd-timezone", "locationd-tracker",
      ]),

    // Places: their names, and ways to them.
    .target(name: "PlaceCore", dependencies: ["Geodesy", "LocationModel"]),
    .target(
      name: "PlaceStore", dependencies: ["Geodesy", "LocationModel", "PlaceCore", "Platform"]),
    .executableTarget(
      name: "locationd-places",
      dependencies: [
        "Console", "DBus", "HTTPClient", "HTTPServer", "LocationModel", "PlaceCore", "PlaceImport",
        "PlaceStore", "Platform",
      ]),

    // The machine's time zone, after its place.
    .executableTarget(
      name: "locationd-timezone",
      dependencies: [
        "Console", "DBus", "LocationClient", "LocationModel", "PlaceCore", "Platform",
      ]),

    // Makes the world's file of packages' data; not installed.
    .executableTarget(
      name: "build-places",
      dependencies: ["Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform"]),
    .target(
      name: "PlaceImport",
      dependencies: ["COsmium", "Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform"]),

    // What an app sees.
    .target(name: "Contacts"),
    .target(
      name: "CoreLocation",
      dependencies: ["Contacts", "Geodesy", "LocationClient", "LocationModel"]),
    .target(name: "GeoToolbox", dependencies: ["CoreLocation"]),
    .target(
      name: "MapKit",
      dependencies: [
        "Contacts", "CoreLocation", "GeoToolbox", "Geodesy", "LocationClient", "LocationModel",
      ]),

    // Windows to C.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CEnvironment"),
    .target(name: "CGPS", linkerSettings: [.linkedLibrary("gps")]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CVersion"),
    .systemLibrary(
      name: "CGeographicLib", path: "config/geographiclib", pkgConfig: "geographiclib",
      providers: [.apt(["libgeographiclib-dev"])]),
    // A static program takes of each library what those before it want.
    .target(
      name: "CGeographic", dependencies: hasArchive ? [] : ["CGeographicLib"],
      linkerSettings: (hasArchive ? [":libGeographicLib.a", "stdc++", "m"] : ["m"])
        .map { .linkedLibrary($0) }),

    // What is wrong with a file is an error, not the end of the program.
    .target(
      name: "COsmium",
      cxxSettings: [.define("NDEBUG")],
      linkerSettings: [.linkedLibrary("z")]),

    // Tests: a target per room, one for the programs as people run them, one for the house itself.
    .testTarget(name: "HouseTests"),
    .testTarget(name: "LocationModelTests", dependencies: ["LocationModel"]),
    .testTarget(
      name: "LocationCoreTests",
      dependencies: ["Geodesy", "LocationCore", "LocationModel", "ReceiverCore", "TestSupport"]),
    .testTarget(
      name: "ReceiverCoreTests",
      dependencies: ["Geodesy", "LocationModel", "ReceiverCore", "TestSupport"]),
    .testTarget(
      name: "ShareCoreTests", dependencies: ["LocationModel", "ReceiverCore", "ShareCore"]),
    .testTarget(
      name: "PlaceStoreTests",
      dependencies: [
        "Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform", "TestSupport",
        "build-places",
      ]),
    .testTarget(
      name: "TrackCoreTests",
      dependencies: ["Geodesy", "LocationModel", "TestSupport", "TrackCore"]),
    .testTarget(
      name: "TrackStoreTests",
      dependencies: ["LocationModel", "Platform", "TestSupport", "TrackCore", "TrackStore"]),
    .testTarget(
      name: "PlaceCoreTests",
      dependencies: ["Geodesy", "LocationModel", "PlaceCore", "TestSupport"]),
    .testTarget(
      name: "PlaceImportTests",
      dependencies: [
        "COsmium", "Geodesy", "LocationModel", "PlaceCore", "PlaceImport", "PlaceStore",
        "Platform", "TestSupport",
      ]),
    .target(name: "TestThreads", path: "Tests/TestThreads"),
    .target(name: "TestSupport", dependencies: ["TestThreads"], path: "Tests/Support"),
    .testTarget(
      name: "PlatformTests", dependencies: ["LocationModel", "Platform", "TestSupport"]),
    .testTarget(
      name: "DBusTests",
      dependencies: ["CDBus", "DBus", "LocationModel", "Platform", "TestSupport"]),
    .testTarget(
      name: "locationdTests",
      dependencies: [
        "CLinux", "Console", "DBus", "locationd", "LocationCore", "LocationModel", "Platform",
        "ReceiverCore", "TestSupport",
      ]),
    .testTarget(
      name: "ConsoleTests",
      dependencies: ["Console", "LocationModel", "Platform", "TestSupport"]),
    .testTarget(
      name: "locationd-placesTests",
      dependencies: ["HTTPServer", "LocationModel", "PlaceCore", "locationd-places"]),
    .testTarget(
      name: "LocationClientTests",
      dependencies: ["LocationClient", "LocationModel", "TestSupport"]),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: ["CoreLocation", "LocationClient", "LocationModel", "TestSupport"]),
    // Code in the way that it is written for Apple's platforms.
    .target(name: "AppleCode", dependencies: ["CoreLocation", "MapKit"], path: "Tests/AppleCode"),
    .target(
      name: "AppleCode5", dependencies: ["CoreLocation", "MapKit"], path: "Tests/AppleCode5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .testTarget(
      name: "MapKitTests",
      dependencies: [
        "AppleCode", "AppleCode5", "CoreLocation", "LocationClient", "LocationModel", "MapKit",
        "TestSupport",
      ]),
    .testTarget(
      name: "locationd-mapTests",
      dependencies: ["HTTPServer", "LocationModel", "PlaceCore", "TestSupport", "locationd-map"]),
    .testTarget(
      name: "locationctlTests",
      dependencies: [
        "Console", "Geodesy", "locationctl", "LocationModel", "ReceiverCore", "TestSupport",
        "TrackCore",
      ]),
    .testTarget(
      name: "locationd-agentTests",
      dependencies: [
        "Console", "DBus", "locationd-agent", "LocationModel", "Platform", "TestSupport",
      ]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "AppleCode", "AppleCode5", "cafes", "CLinux", "Console", "CoreLocation", "DBus", "Geodesy",
        "locationd", "LocationClient", "LocationCore", "LocationModel", "MapKit", "Platform",
        "ReceiverCore", "TestSupport", "TrackCore", "TrackStore",
      ]),

    // Every decoder of foreign bytes, with bytes that nobody should say.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Console", "DBus", "HTTPServer", "LocationCore", "LocationModel", "PlaceCore",
        "PlaceImport", "Platform", "ReceiverCore", "ShareCore", "TrackCore", "build-places",
        "locationctl",
        "locationd",
        "locationd-map",
      ]),

    // The manual's example, which is a package of its own elsewhere.
    .executableTarget(
      name: "cafes", dependencies: ["MapKit"], path: "config/examples/cafes/Sources/cafes"),

    // An app that stays while the daemon is restarted, for `make try`.
    .executableTarget(name: "try-app", dependencies: ["CoreLocation"], path: "Tests/Try/app"),
  ],
  cxxLanguageStandard: .cxx17
)

let foreign = [
  "AppleCode", "AppleCode5", "CGPS", "CGeographic", "COsmium", "CVersion",
]
for target in package.targets where target.type != .system && !foreign.contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
