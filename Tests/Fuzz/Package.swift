// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since a fuzzer's runtime brings a `main` that ordinary builds must not have.
// The rooms under test are linked into it, so that it sees what the house sees.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]),
]

let package = Package(
  name: "fuzz",
  targets: [
    .target(name: "LocationModel", swiftSettings: settings),
    .target(
      name: "CGeographic", linkerSettings: [.linkedLibrary("GeographicLib")]),
    .target(
      name: "LocationCore", dependencies: ["LocationModel", "CGeographic"], swiftSettings: settings
    ),
    .executableTarget(
      name: "fuzz-decode", dependencies: ["LocationCore", "LocationModel"],
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"]), .linkedLibrary("m")]),
  ],
  cxxLanguageStandard: .cxx17
)
