// swift-tools-version: 6.0
import PackageDescription

// Elsewhere: .package(url: "<where you cloned locationd from>", branch: "main")
let package = Package(
  name: "where-am-i",
  dependencies: [.package(name: "locationd", path: "../../..")],
  targets: [
    .executableTarget(
      name: "where-am-i",
      dependencies: [.product(name: "CoreLocation", package: "locationd")])
  ]
)
