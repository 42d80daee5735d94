import COsmium
import Foundation
import LocationModel
import PlaceCore
import Testing

/// What is in a file of OpenStreetMap, without the importer's tables.
final class RawFile {
  struct House {
    var number: String
    var street: String?
    var name: String?
    var place: Coordinate
  }
  struct Named {
    var name: String
    /// By their languages.
    var names: [String: String]
    var osm: OSMNumber?
    var isStreet: Bool
    var place: Coordinate
  }
  private(set) var houses: [House] = []
  /// All with a name but borders.
  private(set) var named: [Named] = []
  private(set) var streets: [String: Int] = [:]

  init(_ path: String) throws {
    let face = cosmium_face(
      context: Unmanaged.passUnretained(self).toOpaque(),
      take: { context, thing in
        guard let context, let thing else { return false }
        Unmanaged<RawFile>.fromOpaque(context).takeUnretainedValue().take(thing.pointee)
        return true
      }, progress: { _, _, _ in true })
    var (date, message) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 512))
    let file = open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    let result = cosmium_read(
      file, NSTemporaryDirectory(), face, nil, nil, nil, &date, date.count, &message, message.count)
    try #require(result == cosmium_done)
  }

  private func take(_ thing: cosmium_thing) {
    var tags: [String: String] = [:]
    for i in 0..<thing.tag_count {
      tags[String(cString: thing.tags[i].key)] = String(cString: thing.tags[i].value)
    }
    if tags["highway"] != nil, let name = tags["name"], thing.kind == CChar(UInt8(ascii: "w")) {
      streets[name, default: 0] += 1
    }
    var places = (0..<thing.place_count).map { thing.places[$0] }
    if thing.is_closed { places.removeLast() }
    let count = Double(places.count) * 1e7
    let middle = Coordinate(
      latitude: places.reduce(0) { $0 + Double($1.latitude) } / count,
      longitude: places.reduce(0) { $0 + Double($1.longitude) } / count)
    if let name = tags["name"], tags["boundary"] != "administrative" {
      named.append(
        Named(
          name: name,
          names: Dictionary(
            tags.filter { $0.key.hasPrefix("name:") }.map {
              (String($0.key.dropFirst(5)), $0.value)
            },
            uniquingKeysWith: { $1 }),
          osm: OSMNumber(
            letter: Character(Unicode.Scalar(UInt8(bitPattern: thing.kind))), thing.number),
          isStreet: tags["highway"] != nil && places.count > 1, place: middle))
    }
    guard let number = tags["addr:housenumber"] else { return }
    houses.append(
      House(
        number: number, street: tags["addr:street"] ?? tags["addr:place"],
        name: tags["addr:housename"] ?? tags["name"], place: middle))
  }
}
