import Foundation
import LocationModel
import PlaceImport
import PlaceStore
import Platform
import TestSupport
import Testing

@Suite("Import of an extract") struct ImportTests {
  /// `make test` has it from PyPI's osrm-bindings: © OpenStreetMap contributors, ODbL.
  static let monaco = FileManager.default.currentDirectoryPath + "/.build/places/monaco.osm.pbf"
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
    let phases = try importing(Self.monaco)
    let seconds = clock.now - start
    #expect(seconds < .seconds(10))
    #expect(phases.contains("ways") && phases.last == "done")
    let extract = try Extract(path: folder + "/monaco.places")
    #expect(extract.dataSet.licence.contains("ODbL") && extract.dataSet.date == "2016-03-05")
    let database = try SealedDatabase(
      path: folder + "/monaco.places", application: ExtractTables.schema.application, version: 1)
    let rows = try database.rows(
      "SELECT latitude, longitude, street, number FROM thing WHERE kind = 0")
    var (byText, byPlace) = (0, 0)
    for row in rows {
      let place = Coordinate(
        latitude: Double(row[0].integer ?? 0) / 1e7, longitude: Double(row[1].integer ?? 0) / 1e7)
      let (street, number) = (row[2].text ?? "", row[3].text ?? "")
      let hits = try extract.find("\(number) \(street)", locale: nil, near: nil, limit: 5)
      if hits.contains(where: {
        $0.placemark.subThoroughfare == number && metres($0.placemark.coordinate, place) < 30
      }) {
        byText += 1
      }
      // A few metres beside it, as a receiver stands.
      let beside = Coordinate(latitude: place.latitude + 0.00002, longitude: place.longitude)
      let here = try extract.reverse(beside, locale: nil)
      if here?.thoroughfare == street, let at = here?.coordinate, metres(at, place) < 30 {
        byPlace += 1
      }
    }
    print(
      "Monaco: \(rows.count) addresses, by text \(byText), by place \(byPlace), import \(seconds)")
    #expect(rows.count >= 60)
    #expect(Double(byText) >= 0.95 * Double(rows.count))
    #expect(Double(byPlace) >= 0.95 * Double(rows.count))
  }

  private func metres(_ a: Coordinate, _ b: Coordinate) -> Double {
    hypot((a.latitude - b.latitude) * 111_195, (a.longitude - b.longitude) * 80_000)
  }

  @Test(
    "a street is found though a letter is wrong, and while it is typed")
  func streets() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try importing(Self.monaco)
    let extract = try Extract(path: folder + "/monaco.places")
    for text in ["Rue Grimaldi", "rue grimalfi", "Rue Grimaldi, Monaco"] {
      let first = try extract.find(text, locale: nil, near: nil, limit: 5).first
      #expect(first?.placemark.thoroughfare == "Rue Grimaldi", "\(text)")
    }
    let typed = try extract.find("rue grim", locale: nil, near: nil, isTyped: true, limit: 5)
    #expect(typed.contains { $0.placemark.thoroughfare == "Rue Grimaldi" })
  }

  @Test(
    "a cancelled import leaves nothing, and the extract of before stays")
  func cancel() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: ImportJob.Failure.self) { try importing(Self.monaco) { true } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    _ = try importing(Self.monaco)
    #expect(throws: ImportJob.Failure.self) { try importing(Self.monaco) { true } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["monaco.places"])
    try ImportJob.remove("monaco", folder: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test("a damaged file is an error and leaves nothing")
  func hostile() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let whole = try Data(contentsOf: URL(filePath: Self.monaco))
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
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      var bytes = whole
      for _ in 0..<20 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255)
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
