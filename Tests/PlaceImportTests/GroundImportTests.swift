import Foundation
import Glibc
import LocationModel
import PlaceCore
import PlaceStore
import Testing

@testable import PlaceImport

/// The features of a tile, as the page reads them.
struct DrawnFeature {
  var kind: GroundKind
  var flags: UInt8
  var name: String
  var shape: Shape

  static func all(_ bytes: some Sequence<UInt8>) -> [DrawnFeature] {
    let bytes = Array(bytes)
    var (features, place) = ([DrawnFeature](), 0)
    func length() -> Int {
      var (number, shift) = (0, 0)
      while true {
        defer { (place, shift) = (place + 1, shift + 7) }
        number |= Int(bytes[place] & 0x7F) << shift
        if bytes[place] < 0x80 { return number }
      }
    }
    while place < bytes.count {
      let (kind, flags) = (bytes[place], bytes[place + 1])
      place += 2
      let name = length()
      let text = String(decoding: bytes[place..<place + name], as: UTF8.self)
      place += name
      let size = length()
      let shape = Shape(Array(bytes[place..<place + size]))
      place += size
      if let kind = GroundKind(rawValue: kind), let shape {
        features.append(DrawnFeature(kind: kind, flags: flags, name: text, shape: shape))
      } else {
        Issue.record("a feature cannot be read")
      }
    }
    return features
  }
}

extension Extract {
  fileprivate func drawn(_ level: Int, _ latitude: Double, _ longitude: Double) -> (
    GridPoint, [DrawnFeature]
  ) {
    let point = GroundTile.point(latitude: latitude, longitude: longitude, level: level)
    let tile = GroundTile(holding: point, level: level)
    return (point - tile.corner, DrawnFeature.all(features(of: tile)))
  }

  /// Nil where the world's coast is drawn.
  fileprivate func isLand(_ level: Int, _ latitude: Double, _ longitude: Double) -> Bool? {
    let (point, features) = drawn(level, latitude, longitude)
    func holds(_ kind: GroundKind) -> Bool {
      features.contains { $0.kind == kind && $0.shape.contains(point) }
    }
    return holds(.land) ? true : holds(.cover) ? false : nil
  }
}

@Suite("The ground of an extract") struct GroundImportTests {
  @Test("Monaco's land and sea are where they are, at both levels that have a coast")
  func coast() throws {
    let extract = try Monaco.extract()
    #expect(!extract.dataSet.lacks.contains("ground"))
    for level in [14, 12] {
      // The oceanographic museum stands on the edge of the rock.
      #expect(extract.isLand(level, 43.7308, 7.4255) == true, "museum, \(level)")
      #expect(extract.isLand(level, 43.7384, 7.4246) == true, "casino's hill, \(level)")
      // In the harbour, and off the rock.
      #expect(extract.isLand(level, 43.7345, 7.4255) == false, "harbour, \(level)")
      #expect(extract.isLand(level, 43.7225, 7.4300) == false, "sea, \(level)")
    }
  }

  @Test("no part of the shore is a straight line in the sea")
  func shore() throws {
    let extract = try Monaco.extract()
    var longest = 0.0
    for x in 8526...8533 {
      for y in 5970...5978 {
        let features = DrawnFeature.all(extract.features(of: GroundTile(level: 14, x: x, y: y)))
        for line in features.filter({ $0.kind == .shore }).flatMap(\.shape.rings) {
          for (a, b) in zip(line, line.dropFirst()) {
            longest = max(longest, hypot(Double(b.x - a.x), Double(b.y - a.y)))
          }
        }
      }
    }
    // The longest quay.
    #expect(longest > 0 && longest < 1500, "\(longest)")
  }

  @Test("streets, houses, parks and names of Monaco are in its tiles")
  func features() throws {
    let extract = try Monaco.extract()
    let (_, harbour) = extract.drawn(14, 43.7350, 7.4213)
    let kinds = Set(harbour.map(\.kind))
    #expect(kinds.isSuperset(of: [.building, .minor, .primary, .shore, .rail, .food, .steps]))
    #expect(harbour.contains { $0.name.hasPrefix("Rue Grimaldi") && $0.kind.isLine })
    #expect(harbour.contains { $0.flags & GroundFeature.Flags.tunnel.rawValue != 0 })
    #expect(harbour.map(\.kind.rawValue) == harbour.map(\.kind.rawValue).sorted())
    let (_, region) = extract.drawn(9, 43.7350, 7.4213)
    #expect(region.contains { $0.kind == .primary } && !region.contains { $0.kind == .building })
  }

  @Test("a road's name and number are told apart, whatever the name has in it")
  func tabs() throws {
    let extract = try MadeFile.imported { file in
      file.node(1, 480_000_000, 80_000_000)
      file.node(2, 480_010_000, 80_010_000)
      file.way(10, [1, 2], "highway=primary", "name=Weg\tnach", "ref=B 3")
    }
    let (_, features) = extract.drawn(14, 48, 8)
    #expect(features.filter { $0.kind == .primary }.map(\.name) == ["Weg nach\tB 3"])
  }

  @Test("a street and a café have their names in each language of the page, near by")
  func languages() throws {
    let names = GroundName.languages.map { "name:\($0)=\($0.uppercased())" }
    let extract = try MadeFile.imported { file in
      file.node(1, 480_000_000, 80_000_000)
      file.node(2, 480_010_000, 80_010_000)
      file.node(
        3, 480_005_000, 80_005_000, all: ["amenity=cafe", "name=Ort", "name:it=no"] + names)
      file.way(10, [1, 2], all: ["highway=primary", "name=Weg", "ref=B 3", "name:it=no"] + names)
    }
    let all = "\tdeDE\tenEN\tesES\tfrFR\tjaJA\tkoKO"
    let (_, features) = extract.drawn(14, 48, 8)
    #expect(features.map(\.name) == ["Weg\tB 3" + all, "Ort\t" + all])
    // Farther off a road has its number alone.
    let (_, far) = extract.drawn(12, 48, 8)
    #expect(far.map(\.name) == ["\tB 3"])
  }

  @Test("the tiles are at most 0.6 of the file that they were made of")
  func size() throws {
    let extract = try Monaco.extract()
    var (all, most) = (0, 0)
    for level in GroundTile.levels {
      let low = GroundTile(
        holding: GroundTile.point(latitude: 44.2, longitude: 6.8, level: level), level: level)
      let high = GroundTile(
        holding: GroundTile.point(latitude: 43.2, longitude: 8, level: level), level: level)
      for x in low.x...high.x {
        for y in low.y...high.y {
          let size = extract.features(of: GroundTile(level: level, x: x, y: y)).count
          (all, most) = (all + size, max(most, size))
        }
      }
    }
    let file = try FileManager.default.attributesOfItem(atPath: Monaco.file)[.size] as? Int
    print("Monaco's ground: \(all) bytes of tiles, \(most) in one, of \(file ?? 0)")
    #expect(all > 100_000 && Double(all) <= 0.6 * Double(file ?? 0) && most < 200_000)
  }
}
