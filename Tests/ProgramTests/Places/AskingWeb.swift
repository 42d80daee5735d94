import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A service of places that answers over HTTP, too.
struct AskingWeb {
  let places: RunningPlaces
  let port: Int

  /// With Monaco's streets and, where it has been made, the world.
  static func ofMonaco(_ configuration: String = "", hasWorld: Bool = true) throws -> AskingWeb {
    let port = try RealGpsd.freePort()
    let world = PrivateBus.house.appending(path: ".build/places")
    let places = try RunningPlaces(
      configuration,
      (hasWorld ? ["--data", world.path] : []) + ["--http", "127.0.0.1:\(port)"])
    try places.importing(world.appending(path: "monaco.osm.pbf").path)
    return AskingWeb(places: places, port: port)
  }

  struct Answer {
    var status: Int
    var head: String
    var body: String
    var json: JSON? { try? JSON(parsing: body) }
  }

  func connect() throws -> WebConnection { try WebConnection(port: UInt16(port)) }

  func ask(
    _ path: String, _ headers: [String] = [], host: String? = nil, method: String = "GET"
  ) throws -> Answer {
    let connection = try connect()
    let lines =
      ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"]
      + headers
    connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    try #require(connection.isClosed(), "\(connection.text)")
    let text = connection.text
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
    let status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
    return Answer(
      status: status, head: parts.first ?? "", body: parts.count > 1 ? parts[1] : "")
  }

  /// How often each method was asked.
  func counters() throws -> JSON {
    try places.ask("status")["result"]?["counters"] ?? .null
  }
}
