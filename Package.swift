// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "locationd",
  products: [
    .executable(name: "locationd", targets: ["locationd"]),
    .executable(name: "locationctl", targets: ["locationctl"]),
  ],
  targets: [
    // The words.
    .target(name: "LocationModel", linkerSettings: [.linkedLibrary("m")]),

    // What is thought, and what the machine gives: neither knows the other.
    .target(name: "LocationCore", dependencies: ["LocationModel", "CGeographic"]),
    .target(name: "Platform", dependencies: ["CSystemd"]),

    // The programs, and the client that others build on.
    .executableTarget(
      name: "locationd", dependencies: ["LocationCore", "LocationModel", "Platform"]),
    .target(name: "LocationClient", dependencies: ["LocationModel"]),
    .executableTarget(
      name: "locationctl", dependencies: ["LocationClient", "LocationCore", "LocationModel"]),

    // Windows to C.
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "CGeographic", linkerSettings: [.linkedLibrary("GeographicLib")]),
  ],
  cxxLanguageStandard: .cxx17
)

for target in package.targets where target.type != .system && target.name != "CGeographic" {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
