import Foundation
import LocationModel
import PlaceCore
import PlaceImport
import PlaceStore
import Platform
import TestSupport
import Testing

@Suite("Import of an extract") struct ImportTests {
  let folder = NSTemporaryDirectory() + "places-\(UUID().uuidString)"

  func importing(
    _ file: String, isCancelled: @escaping () -> Bool = { false }
  ) throws -> [String] {
    var phases: [String] = []
    let job = try ImportJob(
      file: file, folder: folder, report: { phase, _ in phases.append(phase) },
      isCancelled: isCancelled)
    try job.run()
    return phases
  }

  @Test("Monaco's addresses are found by their text and by their place")
  func addresses() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = ContinuousClock()
    let start = clock.now
    let phases = try importing(Monaco.file)
    let seconds = clock.now - start
    #expect(phases.contains("ways") && phases.last == "done")
    let extract = try Extract(path: folder + "/monaco.places")
    #expect(extract.dataSet.licence.contains("ODbL") && extract.dataSet.date == "2016-03-05")
    let houses = try RawFile(Monaco.file).houses
    var (byText, byPlace) = (0, 0)
    for house in houses {
      let text = house.street.map { "\(house.number) \($0)" } ?? house.name ?? house.number
      let hits = try extract.hits(for: StreetSearch(text, locale: nil, near: nil, limit: 5))
      if hits.contains(where: {
        metres($0.placemark.coordinate, house.place) < 30
          && (house.street == nil || $0.placemark.subThoroughfare == house.number)
      }) {
        byText += 1
      }
      // A few metres beside it, as a receiver stands.
      let beside = Coordinate(
        latitude: house.place.latitude + 0.00002, longitude: house.place.longitude)
      guard let here = try extract.reverse(beside, locale: nil) else { continue }
      let isIt =
        house.street == nil
        ? here.subThoroughfare == house.number || here.name == house.name
        : here.thoroughfare == house.street && here.subThoroughfare == house.number
      if isIt, house.street == nil || metres(here.coordinate, house.place) < 30 { byPlace += 1 }
    }
    print(
      "Monaco: \(houses.count) addresses, by text \(byText), by place \(byPlace), import \(seconds)"
    )
    #expect(houses.count == 78)
    #expect(Double(byText) >= 0.95 * Double(houses.count))
    #expect(Double(byPlace) >= 0.95 * Double(houses.count))
  }

  private func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
    hypot((a.latitude - b.latitude) * 111_195, (a.longitude - b.longitude) * 80_000)
  }

  @Test(
    "a street is found though a letter is wrong, and while it is typed")
  func streets() throws {
    let extract = try Monaco.extract()
    for text in ["Rue Grimaldi", "rue grimalfi", "r. grimaldi"] {
      let first = try extract.hits(for: StreetSearch(text, locale: nil, near: nil, limit: 5)).first
      #expect(first?.placemark.thoroughfare == "Rue Grimaldi", "\(text)")
    }
    let typed = try extract.hits(
      for: StreetSearch("rue grim", locale: nil, near: nil, isTyped: true, limit: 5))
    #expect(typed.contains { $0.placemark.thoroughfare == "Rue Grimaldi" })
  }

  @Test("a house's street is the one that a relation names, or the nearest within 30 m")
  func streetsOfHouses() throws {
    let extract = try Monaco.extract()
    // Another street is nearer to the first; the second stands 17 m from its own.
    for (text, number) in [
      ("118 Avenue du 3 Septembre", "118"), ("56 Boulevard du Jardin Exotique", "56"),
      ("Villa Paloma", "56"),
    ] {
      let hit = try extract.hits(for: StreetSearch(text, locale: nil, near: nil, limit: 1)).first
      #expect(hit?.placemark.subThoroughfare == number, "\(text)")
    }
    // Its number is known, its street is not: the number of no other house is told instead.
    let alone = try #require(try RawFile(Monaco.file).houses.first { $0.name == "Villa Malet" })
    let here = try extract.reverse(alone.place, locale: nil)
    #expect(here?.name == "Villa Malet" && here?.subThoroughfare == nil)
  }

  @Test("where a street has no such number, the street is the answer")
  func noNumber() throws {
    let extract = try Monaco.extract()
    let first = try extract.hits(
      for: StreetSearch("9999 rue grimaldi", locale: nil, near: nil, limit: 1)
    ).first
    #expect(first?.placemark.name == "Rue Grimaldi" && first?.placemark.subThoroughfare == nil)
  }

  @Test("a street of many ways is found once")
  func oneStreet() throws {
    let extract = try Monaco.extract()
    let ways = try RawFile(Monaco.file).streets
    #expect(ways.values.contains { $0 > 5 })
    for (street, count) in ways where count > 1 {
      let hits = try extract.hits(for: StreetSearch(street, locale: nil, near: nil, limit: 20))
        .filter { $0.placemark.name == street && $0.placemark.thoroughfare == street }
      #expect((1...count / 2 + 1).contains(hits.count), "\(street)")
      // Towns beside each other have streets of one name.
      for (i, hit) in hits.enumerated() {
        for other in hits[..<i] {
          #expect(metres(hit.placemark.coordinate, other.placemark.coordinate) > 600, "\(street)")
        }
      }
    }
  }

  @Test(
    "words for kinds of places answer with the nearest of them, in nine languages",
    arguments: [
      ("cafe", "cafe"), ("카페", "cafe"), ("カフェ", "cafe"), ("Apotheke", "pharmacy"),
      ("pharmacie", "pharmacy"), ("farmacia", "pharmacy"), ("аптека", "pharmacy"),
      ("药店", "pharmacy"),
      ("صيدلية", "pharmacy"), ("restaurants near me", "restaurant"), ("주변 약국", "pharmacy"),
      ("banque", "bank"), ("bus stop", "publicTransport"),
    ])
  func kinds(text: String, category: String) throws {
    let extract = try Monaco.extract()
    let here = Coordinate(latitude: 43.7384, longitude: 7.4246)
    let hits = try extract.hits(for: StreetSearch(text, locale: nil, near: here, limit: 5))
    let first = try #require(hits.first)
    #expect(hits.prefix(3).allSatisfy { $0.placemark.category == category })
    let distances = hits.map { metres($0.placemark.coordinate, here) }
    #expect(distances == distances.sorted() && distances[0] < 2000, "\(first)")
  }

  @Test("without words, what is asked for is the nearest of a kind, or of all")
  func nearest() throws {
    let extract = try Monaco.extract()
    let here = Coordinate(latitude: 43.7384, longitude: 7.4246)
    for category in ["pharmacy", nil] {
      let hits = try extract.hits(
        for: StreetSearch("", locale: nil, near: here, category: category, limit: 5))
      #expect(hits.count == 5)
      #expect(category == nil || hits.allSatisfy { $0.placemark.category == category })
      let distances = hits.map { metres($0.placemark.coordinate, here) }
      #expect(distances == distances.sorted() && distances[0] < 1000)
    }
    #expect(try extract.hits(for: StreetSearch("", locale: nil, near: nil, limit: 5)).isEmpty)
  }

  @Test(
    "short words of addresses stand for the whole",
    arguments: [
      ("bd des moulins", "Boulevard des Moulins"), ("av de la costa", "Avenue de la Costa"),
      ("bd. du jardin exotique", "Boulevard du Jardin Exotique"),
      ("pl du palais", "Place du Palais"),
    ])
  func abbreviations(text: String, street: String) throws {
    let extract = try Monaco.extract()
    let hits = try extract.hits(for: StreetSearch(text, locale: nil, near: nil, limit: 3))
    #expect(hits.contains { $0.placemark.thoroughfare == street }, "\(hits.map(\.placemark.name))")
  }

  @Test(
    "an import can be cancelled in each of its phases",
    arguments: [
      "relations", "nodes", "ways", "sorting", "streets", "words", "roads", "ground",
    ])
  func cancelLate(phase: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var reached: [String] = []
    let job = try ImportJob(
      file: Monaco.file, folder: folder, report: { phase, _ in reached.append(phase) },
      isCancelled: { reached.last == phase })
    let failure = #expect(throws: ImportJob.Failure.self) { try job.run() }
    #expect(failure?.description == "The import is cancelled." && reached.last == phase)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test(
    "a cancelled import leaves nothing, and the extract of before stays")
  func cancel() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: ImportJob.Failure.self) { try importing(Monaco.file) { true } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    _ = try importing(Monaco.file)
    #expect(throws: ImportJob.Failure.self) { try importing(Monaco.file) { true } }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left == ["monaco.places"])
    try ImportJob.remove("monaco", folder: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("a damaged file is an error and leaves nothing")
  func hostile() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let whole = try Data(contentsOf: URL(filePath: Monaco.file))
    let other = NSTemporaryDirectory() + "damaged\(UUID().uuidString).osm.pbf"
    defer { try? FileManager.default.removeItem(atPath: other) }
    for length in [0, 3, 100, 60_000, whole.count / 2, whole.count - 10] {
      try whole.prefix(length).write(to: URL(filePath: other))
      if length > 0 {
        #expect(throws: ImportJob.Failure.self, "\(length)") { try importing(other) }
      } else {
        _ = try? importing(other)
      }
    }
    var dice = Dice(seed: 3)
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<20 {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = .random(in: 0...255, using: &dice)
      }
      try bytes.write(to: URL(filePath: other))
      _ = try? importing(other)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.contains("unfinished") } == [])
  }

  @Test("a file's name that would leave the folder, or hide the world, is refused")
  func names() {
    for name in ["world.osm.pbf", ".osm.pbf", "a b.osm.pbf", "monaco.pbf", "..osm.pbf"] {
      #expect(throws: ImportJob.Failure.self) {
        _ = try ImportJob(file: name, folder: folder, report: { _, _ in }, isCancelled: { false })
      }
    }
  }
}
