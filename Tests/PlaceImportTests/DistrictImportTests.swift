import Foundation
import LocationModel
import PlaceCore
import PlaceStore
import Testing

@testable import PlaceImport

@Suite("The districts of an extract") struct DistrictImportTests {
  /// Hundreds of metres, about, north and east of a corner.
  private static func degrees(_ north: Int, _ east: Int) -> (Int32, Int32) {
    (480_000_000 + Int32(north) * 9000, 80_000_000 + Int32(east) * 13_500)
  }

  private static func place(_ north: Int, _ east: Int) -> Coordinate {
    let (latitude, longitude) = degrees(north, east)
    return Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  /// A town of 40 by 40 hundred metres, with a house each `step`, and areas by their south-west corners and sides.
  private struct Town {
    private var nodes: [(Int64, Int32, Int32, [String])] = []
    private var ways: [(Int64, [Int64], [String])] = []
    private var relations: [(Int64, [Member], [String])] = []
    private var next: Int64 = 100

    private typealias Member = (role: String, kind: UInt64, number: Int64)

    private mutating func corners(_ north: Int, _ east: Int, _ side: Int) -> [Int64] {
      [(0, 0), (0, side), (side, side), (side, 0)].map { y, x in
        let (latitude, longitude) = DistrictImportTests.degrees(north + y, east + x)
        next += 1
        nodes.append((next, latitude, longitude, []))
        return next
      }
    }

    mutating func house(_ number: String, _ north: Int, _ east: Int) {
      let (latitude, longitude) = DistrictImportTests.degrees(north, east)
      next += 1
      nodes.append(
        (next, latitude, longitude, ["addr:housenumber=\(number)", "addr:street=Weg"]))
    }

    mutating func point(_ north: Int, _ east: Int, _ tags: String...) {
      let (latitude, longitude) = DistrictImportTests.degrees(north, east)
      next += 1
      nodes.append((next, latitude, longitude, tags))
    }

    mutating func way(_ north: Int, _ east: Int, _ side: Int, _ tags: String...) {
      let corners = corners(north, east, side)
      next += 1
      ways.append((next, corners + corners.prefix(1), tags))
    }

    /// An area of two ways, the second against the first; without it the area is open. `lacks`: a way that the file has not.
    mutating func relation(
      _ north: Int, _ east: Int, _ side: Int, hole: (Int, Int, Int)? = nil, isWhole: Bool = true,
      centre: (Int, Int)? = nil, lacks: Int64? = nil, _ tags: String...
    ) {
      let ring = corners(north, east, side)
      ways.append((next + 1, [ring[0], ring[1], ring[2]], []))
      ways.append((next + 2, [ring[0], ring[3], ring[2]], []))
      var members: [Member] = [("outer", 1, next + 1)]
      if isWhole { members.append(("outer", 1, next + 2)) }
      next += 2
      if let hole {
        let ring = corners(hole.0, hole.1, hole.2)
        next += 1
        ways.append((next, ring + ring.prefix(1), []))
        members.append(("inner", 1, next))
      }
      if let centre {
        point(centre.0, centre.1)
        members.append(("admin_centre", 0, next))
      }
      if let lacks { members.append(("outer", 1, lacks)) }
      next += 1
      relations.append((next, members, ["type=boundary"] + tags))
    }

    func write(to path: String) throws {
      var file = MadeFile()
      for (number, latitude, longitude, tags) in nodes {
        file.node(number, latitude, longitude, all: tags)
      }
      for (number, nodes, tags) in ways { file.way(number, nodes, all: tags) }
      for (number, members, tags) in relations { file.relation(number, members, all: tags) }
      try file.write(to: path)
    }
  }

  private func imported(
    _ fill: (inout Town) -> Void
  ) throws -> (extract: Extract, sentences: [String]) {
    let folder = NSTemporaryDirectory() + "made-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var town = Town()
    fill(&town)
    try town.write(to: folder + "/made.osm.pbf")
    var sentences: [String] = []
    try ImportJob(
      file: folder + "/made.osm.pbf", folder: folder, report: { _, _ in },
      tell: { sentences.append($0) }, isCancelled: { false }
    ).run()
    return (try Extract(path: folder + "/made.places"), sentences)
  }

  private func district(
    _ extract: Extract, _ north: Int, _ east: Int, in language: String? = nil
  ) throws -> String? {
    try extract.reverse(Self.place(north, east), locale: language)?.subLocality
  }

  @Test("a house lies in the smallest area that holds it, of relations and of closed ways")
  func areas() throws {
    let (extract, sentences) = try imported { town in
      town.relation(
        0, 0, 40, "boundary=administrative", "admin_level=8", "name=Stadt")
      town.relation(
        0, 0, 20, hole: (5, 5, 5), "boundary=administrative", "admin_level=10", "name=Altstadt")
      town.way(20, 0, 20, "place=suburb", "name=Nordstadt")
      town.way(22, 2, 3, "place=suburb", "name=Insel")
      town.relation(0, 0, 40, "boundary=administrative", "admin_level=9", "name=Mitte")
      for (north, east) in [(1, 1), (7, 7), (30, 3), (23, 3), (30, 30), (50, 50)] {
        town.house("\(north)", north, east)
      }
    }
    #expect(try district(extract, 1, 1) == "Altstadt")
    #expect(try district(extract, 7, 7) == "Mitte")
    #expect(try district(extract, 30, 3) == "Nordstadt")
    #expect(try district(extract, 23, 3) == "Insel")
    #expect(try district(extract, 30, 30) == "Mitte")
    #expect(try district(extract, 50, 50) == nil)
    #expect(!sentences.contains { $0.contains("district") })
  }

  @Test("a district is named in the reader's language, by a text, by a place and by an id")
  func languages() throws {
    let (extract, _) = try imported { town in
      town.relation(
        0, 0, 20, "boundary=administrative", "admin_level=10", "name=Altstadt", "name:ko=구시가지",
        "name:fr=Vieille ville")
      town.house("1", 1, 1)
    }
    #expect(try district(extract, 1, 1, in: "ko-KR") == "구시가지")
    #expect(try district(extract, 1, 1, in: "fr") == "Vieille ville")
    #expect(try district(extract, 1, 1, in: "ja") == "Altstadt")
  }

  @Test("an area that the extract does not have whole is counted, and holds nothing")
  func open() throws {
    let (extract, sentences) = try imported { town in
      for i in 0..<2 {
        town.relation(
          0, 30 * i, 20, isWhole: false, "boundary=administrative", "admin_level=10",
          "name=Rand \(i)")
      }
      // Towns reach beyond most extracts.
      town.relation(
        0, 0, 60, isWhole: false, "boundary=administrative", "admin_level=8", "name=Stadt")
      town.house("1", 1, 1)
    }
    #expect(try district(extract, 1, 1) == nil)
    #expect(
      sentences.contains(
        "2 districts reach beyond the extract, which does not know what lies in them."))
  }

  @Test("the border of a country is kept where the extract has all of it")
  func countries() throws {
    let (extract, _) = try imported { town in
      for (east, code) in [(0, "ISO3166-1=AA"), (20, "ISO3166-1:alpha2=BB"), (40, "name:en=C")] {
        town.relation(
          0, east, 20, hole: (5, east + 5, 5), "boundary=administrative", "admin_level=2", code,
          "name=Land")
      }
      // One of its islands.
      town.relation(
        0, 60, 20, lacks: 9, "boundary=administrative", "admin_level=2", "ISO3166-1=DD", "name=Land"
      )
      town.house("1", 1, 1)
    }
    #expect(extract.countries == ["AA", "BB"])
    let places = [(1, 1), (7, 7), (1, 21), (7, 27), (1, 41), (1, 61)]
    let found = try places.map { try extract.country(at: Self.place($0, $1)) }
    #expect(found == ["AA", nil, "BB", nil, nil, nil])
  }

  @Test("a border that is cut off at sea goes on there, away from the capital")
  func cutCountries() throws {
    let (extract, _) = try imported { town in
      for (code, centre) in [("AA", (15, 5)), ("BB", (5, 15)), ("CC", nil)]
        as [(String, (Int, Int)?)]
      {
        town.relation(
          0, 0, 20, isWhole: false, centre: centre, "boundary=administrative", "admin_level=2",
          "ISO3166-1=\(code)", "name=Land")
      }
      town.house("1", 1, 1)
    }
    #expect(extract.countries == ["BB"])
    let places = [(5, 15), (15, 5), (-5, 10), (10, 25)]
    let found = try places.map { try extract.country(at: Self.place($0, $1)) }
    #expect(found == ["BB", "BB", nil, nil])
  }

  @Test("where no area is, the nearest point is the district, within its reach and its town")
  func points() throws {
    let (extract, _) = try imported { town in
      town.relation(0, 0, 20, "boundary=administrative", "admin_level=8", "name=Stadt")
      town.relation(0, 20, 20, "boundary=administrative", "admin_level=8", "name=Nachbarn")
      town.point(10, 5, "place=suburb", "name=West")
      town.point(10, 15, "place=suburb", "name=Ost")
      town.point(40, 40, "place=neighbourhood", "name=Weiler")
      for (north, east) in [(10, 6), (10, 14), (10, 21), (40, 44), (40, 50)] {
        town.house("\(east)", north, east)
      }
    }
    #expect(try district(extract, 10, 6) == "West" && district(extract, 10, 14) == "Ost")
    #expect(try district(extract, 10, 21) == nil)
    #expect(try district(extract, 40, 44) == "Weiler" && district(extract, 40, 50) == nil)
  }

  @Test("a point in an area of its name says the kind of that, and no district beside it")
  func linked() throws {
    let (extract, _) = try imported { town in
      // A village, by its point: the town of whoever lives there.
      town.relation(0, 0, 10, "boundary=administrative", "admin_level=10", "name=Dorf")
      town.point(5, 5, "place=village", "name=Dorf")
      // The smaller one is a part of the larger, by its point.
      town.relation(0, 20, 20, "boundary=administrative", "admin_level=10", "name=Hafen")
      town.relation(0, 20, 10, "boundary=administrative", "admin_level=10", "name=Speicher")
      town.point(5, 25, "place=neighbourhood", "name=speicher")
      for (north, east) in [(2, 2), (2, 22), (2, 44)] { town.house("\(east)", north, east) }
    }
    #expect(try district(extract, 2, 2) == nil)
    #expect(try district(extract, 2, 22) == "Hafen")
    #expect(try district(extract, 2, 44) == nil)
  }

  @Test(
    "streets and houses of Monaco lie in its quarters",
    arguments: [
      ("Rue Grimaldi", "La Condamine"), ("Place du Palais", "Monaco-Ville"),
      ("Place du Casino", "Monte-Carlo"), ("Stade Louis II", "Fontvieille"),
    ])
  func monaco(text: String, quarter: String) throws {
    let folder = try Monaco.folder()
    let extract = try Extract(path: folder + "/monaco.places")
    let hit = try #require(
      try extract.hits(for: StreetSearch(text, locale: nil, near: nil, limit: 1)).first)
    let mark = try extract.reverse(hit.placemark.coordinate, locale: "fr")
    #expect(mark?.subLocality == quarter, "\(text): \(String(describing: mark?.subLocality))")
  }
}
