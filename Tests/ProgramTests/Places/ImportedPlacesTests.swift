import Foundation
import Glibc
import LocationModel
import Testing

@Suite("Streets and shops of an extract", .timeLimit(.minutes(60))) struct ImportedPlacesTests {
  private static let monaco = PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path

  private func importing(into folder: URL) throws -> Program {
    try Program([
      Program.path("locationd-places"), "--import", Self.monaco, "--data", folder.path,
    ])
  }

  @Test("an import is there at once, says whose it is, and goes away again")
  func imported() throws {
    let places = try RunningPlaces.ofWorld()
    func street() throws -> JSON? {
      try places.ask("geocode", ["text": "Rue Grimaldi, Monaco"])["result"]?["placemarks"]?
        .array?.first
    }
    #expect(try street()?["thoroughfare"] == nil)
    let (said, exit) = try importing(into: places.folder).text()
    #expect(exit == 0 && said.hasSuffix("{\"phase\":\"done\",\"percent\":100}\n"), "\(said)")
    let found = try #require(try street())
    #expect(found["thoroughfare"]?.string == "Rue Grimaldi")
    #expect(found["country"]?.string == "Monaco" && found["timeZone"]?.string == "Europe/Monaco")
    // The town may stand on both sides, in any language, and the number too.
    for text in [
      "31 rue grimaldi monaco", "Monaco, Rue Grimaldi", "모나코 Rue Grimaldi", "rue grimaldi, Мона́ко",
    ] {
      let answer = try places.ask("geocode", ["text": .string(text)])
      let mark = answer["result"]?["placemarks"]?.array?.first
      #expect(mark?["thoroughfare"]?.string == "Rue Grimaldi", "\(text): \(answer.text)")
    }
    let here = try places.ask(
      "reverseGeocode", ["latitude": .number(43.7394), "longitude": .number(7.4277)])
    #expect(
      here["result"]?["placemarks"]?.array?.first?["thoroughfare"]?.string == "Place du Casino")
    let sets = try places.ask("status")["result"]?["dataSets"]?.array ?? []
    #expect(sets.last?["attribution"]?.string == "© OpenStreetMap contributors")
    let removal = try Program([
      Program.path("locationd-places"), "--remove", "monaco", "--data", places.folder.path,
    ])
    #expect(try removal.exit() == 0)
    #expect(try street()?["thoroughfare"] == nil)
  }

  @Test("to a person who is there, shops come before towns elsewhere")
  func nearFirst() throws {
    let places = try RunningPlaces.ofWorld()
    #expect(try importing(into: places.folder).exit() == 0)
    let near: JSON = .array([.number(43.7384), .number(7.4246)])
    let shops = try places.ask("search", ["text": "casino", "near": near])["result"]?["places"]?
      .array
    #expect(shops?.first?["source"]?.string == "monaco")
    let towns = try places.ask("search", ["text": "casino"])["result"]?["places"]?.array
    #expect(towns?.first?["name"]?.string == "Casino" && towns?.first?["source"]?.string == "world")
    let lines = try places.ask("complete", ["text": "rue gri", "near": near])["result"]?[
      "completions"]?.array
    #expect(lines?.first?["title"]?.string == "Rue Grimaldi")
    let id = try #require(lines?.first?["id"])
    let place = try places.ask("search", ["id": id])["result"]?["places"]?.array?.first
    #expect(place?["thoroughfare"]?.string == "Rue Grimaldi")
  }

  @Test("a killed import leaves what was there, and the next one succeeds")
  func killed() throws {
    let places = try RunningPlaces.ofWorld()
    #expect(try importing(into: places.folder).exit() == 0)
    let file = places.folder.appending(path: "monaco.places")
    let before = try Data(contentsOf: file)
    for lines in 0...3 {
      let job = try importing(into: places.folder)
      for _ in 0..<lines { _ = try job.line() }
      job.signal(SIGKILL)
      _ = try job.exit()
      #expect(try Data(contentsOf: file).count == before.count)
    }
    #expect(try importing(into: places.folder).exit() == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: places.folder.path)
    #expect(!left.contains { $0.hasSuffix(".unfinished") })
  }

  @Test("two imports of one name at once: one of them is refused, and none is lost")
  func atOnce() throws {
    let places = try RunningPlaces.ofWorld()
    let jobs = try (0..<4).map { _ in try importing(into: places.folder) }
    let results = try jobs.map { try $0.text() }
    #expect(results.contains { $0.exit == 0 })
    for result in results where result.exit != 0 {
      #expect(result.text.contains("another locationd uses it"), "\(result.text)")
    }
    let sets = try places.ask("status")["result"]?["dataSets"]?.array ?? []
    #expect(sets.last?["name"]?.string == "monaco" && sets.last?["trouble"] == nil)
  }

  @Test(
    "an update takes the place of what is older, says what has changed, and refuses an older file")
  func update() throws {
    let places = try RunningPlaces.ofWorld()
    func update(_ file: String) throws -> (text: String, exit: Int32) {
      try Program([
        Program.path("locationd-places"), "--update", file, "--data", places.folder.path,
      ]).text()
    }
    let none = try update(Self.monaco)
    #expect(none.exit == 1 && none.text.contains("no extract 'monaco'"), "\(none)")
    try places.importing(Self.monaco)
    let path = places.folder.path + "/monaco.places"
    let before = try Data(contentsOf: URL(filePath: path))
    // The day of a file may stand in its name, which is not the extract's.
    let dated = places.folder.appending(path: "monaco-160305.osm.pbf")
    try FileManager.default.copyItem(at: URL(filePath: Self.monaco), to: dated)
    let same = try update(dated.path)
    #expect(same.exit == 0 && same.text.contains("of 2016-03-05 still"), "\(same)")
    #expect(same.text.contains("things: 0 have come, 0 are gone."), "\(same)")
    #expect(try Data(contentsOf: URL(filePath: path)).count == before.count)
    // The one that is there says that it is newer.
    let script =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      + "c.execute(\"UPDATE about SET value = '2030-01-01' WHERE key = 'date'\"); c.commit()"
    #expect(try Program(["python3", "-c", script, path]).text().exit == 0)
    let older = try update(Self.monaco)
    #expect(older.exit == 1 && older.text.contains("'monaco' is of 2030-01-01 already"), "\(older)")
    let left = try FileManager.default.contentsOfDirectory(atPath: places.folder.path)
    #expect(!left.contains { $0.contains("unfinished") }, "\(left)")
  }

  @Test("a file that is none, and a cut one, are refused with a sentence")
  func nonsense() throws {
    let places = try RunningPlaces.ofWorld()
    let whole = try Data(contentsOf: URL(filePath: Self.monaco))
    for content in [Data(), Data("nonsense".utf8), whole.prefix(whole.count / 2)] {
      let file = places.folder.appending(path: "bad.osm.pbf")
      try content.write(to: file)
      let job = try Program([
        Program.path("locationd-places"), "--import", file.path, "--data", places.folder.path,
      ])
      let (said, exit) = try job.text()
      #expect(exit == 1 && said.contains("cannot be read"), "\(said)")
    }
    #expect(!FileManager.default.fileExists(atPath: places.folder.path + "/bad.places"))
  }

  @Test("a damaged file is an error or a success, in bounded memory, and leaves nothing half made")
  func damaged() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "damaged-\(UUID())")
    let data = folder.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let maker = PrivateBus.house.appending(path: "Tests/Servers/damage.py").path
    let count = 60
    let (said, exit) = try Program(["python3", maker, Self.monaco, folder.path, "0", "\(count)"])
      .text()
    try #require(exit == 0, "\(said)")
    var successes = 0
    for i in 0..<count {
      let (said, exit) = try Program([
        "sh", "-c", "ulimit -v 1000000; exec \"$@\"", "sh", Program.path("locationd-places"),
        "--import",
        "\(folder.path)/\(i).osm.pbf", "--data", data.path,
      ]).text()
      let isError = exit == 1 && said.contains("cannot be read")
      #expect(exit == 0 || isError, "\(i): \(exit), \(said)")
      if exit == 0 { successes += 1 }
    }
    #expect(successes > 5 && successes < count - 5)
    let left = try FileManager.default.contentsOfDirectory(atPath: data.path)
    #expect(left.count { $0.hasSuffix(".places") } == successes)
    #expect(left.allSatisfy { $0.hasSuffix(".places") || $0.hasSuffix(".roads") }, "\(left)")
  }

  @Test("where the disk takes no more, the import fails and leaves nothing")
  func full() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // In blocks of 512 bytes: the file of nodes fails first, then what is sorted, then the result.
    for blocks in [100, 1000, 6000] {
      let (said, exit) = try Program([
        "sh", "-c", "ulimit -f \(blocks); exec \"$@\"", "sh", Program.path("locationd-places"),
        "--import", Self.monaco, "--data", folder.path,
      ]).text()
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(
        exit == 0 ? left == ["monaco.places"] : exit == 1 && left.isEmpty, "\(blocks): \(said)")
      #expect(blocks > 1000 || exit == 1 && said.contains("the disk is full"), "\(said)")
    }
  }
}
