// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since nobody who builds the programs needs it. `Rooms` shows it the rooms that it measures.

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Rooms/\(name)")
}

func window(_ name: String, _ package: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Rooms/\(name)", pkgConfig: package)
}

let package = Package(
  name: "benchmarks",
  targets: [
    .executableTarget(
      name: "bench-decode",
      dependencies: ["BenchSupport", "CBaseline", "LocationModel", "ReceiverCore"],
      path: "bench-decode"),
    .executableTarget(
      name: "bench-daemon", dependencies: ["BenchSupport", "LocationClient", "LocationModel"],
      path: "bench-daemon"),
    .executableTarget(
      name: "bench-corelocation",
      dependencies: ["BenchSupport", "CoreLocation", "LocationClient", "LocationModel"],
      path: "bench-corelocation"),
    .executableTarget(
      name: "bench-services",
      dependencies: ["BenchSupport", "LocationCore", "LocationModel", "ReceiverCore"],
      path: "bench-services"),
    .executableTarget(
      name: "bench-bus",
      dependencies: ["BenchSupport", "CBusBaseline", "DBus", "LocationModel", "Platform"],
      path: "bench-bus"),
    .executableTarget(
      name: "bench-geoclue", dependencies: ["BenchSupport", "DBus", "LocationModel", "Platform"],
      path: "bench-geoclue"),
    .executableTarget(
      name: "bench-places",
      dependencies: [
        "BenchSupport", "Geodesy", "LocationModel", "PlaceCore", "PlaceStore", "Platform",
      ],
      path: "bench-places"),
    .target(name: "CBaseline", path: "CBaseline"),
    .target(name: "CBusBaseline", dependencies: ["CDBus"], path: "CBusBaseline"),
    .target(
      name: "BenchSupport", dependencies: ["LocationClient", "LocationModel"],
      path: "BenchSupport"),

    room("LocationModel"),
    room("Geodesy", ["CGeographic", "LocationModel"]),
    room("ReceiverCore", ["CGPS", "Geodesy", "LocationModel"]),
    room("LocationCore", ["Geodesy", "LocationModel", "ReceiverCore"]),
    room("Platform", ["CLinux", "CSQLite", "CSystemd", "LocationModel"]),
    room("DBus", ["CDBus", "LocationModel", "Platform"]),
    room("LocationClient", ["CEnvironment", "LocationModel"]),
    room("Contacts"),
    room("CoreLocation", ["Contacts", "Geodesy", "LocationClient", "LocationModel"]),
    room("PlaceCore", ["Geodesy", "LocationModel"]),
    room("PlaceStore", ["Geodesy", "LocationModel", "PlaceCore", "Platform"]),
    window("CDBus", "dbus-1"),
    window("CEnvironment"),
    window("CLinux"),
    window("CSQLite", "sqlite3"),
    window("CSystemd", "libsystemd"),
    .target(name: "CGPS", path: "Rooms/CGPS", linkerSettings: [.linkedLibrary("gps")]),
    .target(
      name: "CGeographic", path: "Rooms/CGeographic",
      linkerSettings: [.linkedLibrary(":libGeographicLib.a")]),
  ],
  cxxLanguageStandard: .cxx17
)

for target in package.targets
where ["Contacts", "CoreLocation"].contains(target.name) || !target.name.hasPrefix("C") {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
