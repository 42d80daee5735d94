// swift-tools-version: 6.0
import PackageDescription

// Elsewhere: .package(url: "<where you cloned locationd from>", branch: "main")
let package = Package(
  name: "cafes",
  dependencies: [.package(name: "locationd", path: "../../..")],
  targets: [
    .executableTarget(
      name: "cafes", dependencies: [.product(name: "MapKit", package: "locationd")])
  ]
)
