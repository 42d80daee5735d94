import Foundation
import Glibc
import LocationModel
import Testing

/// A service of places of the test's own.
final class RunningPlaces {
  let folder = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID())")
  private(set) var program: Program
  var socket: String { folder.appending(path: "s").path }

  init(
    _ configuration: String = "", bus: PrivateBus? = nil, _ more: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "places.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    program = try Program(
      [
        Program.path("locationd-places"), "--config", file.path, "--socket",
        folder.appending(path: "s").path, "--data", folder.path, "--bus", bus?.address ?? "none",
      ] + more, environment: environment)
    while try !program.line().contains("listens") {}
  }

  /// One that has the world's data, where it has been made.
  static func ofWorld() throws -> RunningPlaces {
    let world = PrivateBus.house.appending(path: ".build/places/world.sqlite")
    try #require(FileManager.default.fileExists(atPath: world.path), "'make places' makes it")
    return try RunningPlaces("", ["--data", world.deletingLastPathComponent().path])
  }

  /// One that has Monaco's streets and roads.
  static func ofMonaco(
    _ configuration: String = "", bus: PrivateBus? = nil, environment: [String: String] = [:]
  ) throws -> RunningPlaces {
    let places = try RunningPlaces(configuration, bus: bus, environment: environment)
    try places.importing(PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path)
    return places
  }

  @discardableResult
  func importing(_ extract: String, environment: [String: String] = [:]) throws -> String {
    let (said, exit) = try Program(
      [Program.path("locationd-places"), "--import", extract, "--data", folder.path],
      environment: environment
    ).text()
    try #require(exit == 0, "\(said)")
    return said
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  /// It is asked to end, and has.
  func leave() throws {
    program.signal(SIGTERM)
    #expect(try program.exit() == 0)
  }

  /// Kilobytes of its own.
  var heldMemory: Int { get throws { try program.heldMemory } }

  func connect() throws -> SocketClient { try SocketClient(path: socket) }
  func ask(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    try connect().ask(method, parameters)
  }
}

/// A web server that speaks as Nominatim and Photon do, or badly.
final class PlaceServer {
  private let program: Program
  let port: Int
  private(set) var requests: [JSON] = []

  init(_ how: String = "", certificate: String? = nil) throws {
    let script = PrivateBus.house.appending(path: "Tests/Servers/places.py").path
    program = try Program(["python3", script, how] + (certificate.map { [$0] } ?? []))
    port = try #require(Int(try program.line()))
  }

  deinit { program.signal(SIGKILL) }

  /// The requests so far.
  func listen() -> [JSON] {
    while let line = program.waitingLine() {
      if let json = try? JSON(parsing: line) { requests.append(json) }
    }
    return requests
  }
}
