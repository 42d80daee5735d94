import Foundation
import LocationModel
import PlaceStore
import Platform
import TestSupport
import Testing

@Suite("Languages of answers") struct LanguageTests {
  private let atlas = Atlas(folders: [WorldTests.folder])
  private let world: SealedDatabase

  init() throws {
    world = try SealedDatabase(
      path: WorldTests.folder + "/world.sqlite", application: WorldSchema.application,
      version: WorldSchema.version)
  }

  private static let parts: [any KeyPath<Placemark, String?> & Sendable] = [
    \.name, \.subLocality, \.locality, \.subAdministrativeArea, \.administrativeArea, \.country,
    \.inlandWater, \.ocean,
  ]

  /// Names in a language of what has an English name there: countries and provinces, features, and towns near it.
  private func names(
    _ english: String, _ language: String, near place: Coordinate
  ) throws -> Set<String> {
    let (y, x) = (Int64(place.latitude * 1e6), Int64(place.longitude * 1e6))
    let rows = try world.rows(
      """
      SELECT name FROM region_name WHERE language = ?2 AND code IN
      (SELECT code FROM region_name WHERE language = 'en' AND name = ?1)
      UNION SELECT other.name FROM place JOIN place_name other USING (gid)
      WHERE place.name = ?1 AND other.language = ?2 AND y BETWEEN ?3 - 500000 AND ?3 + 500000
      AND x BETWEEN ?4 - 700000 AND ?4 + 700000
      """, [.text(english), .text(language), .integer(y), .integer(x)])
    return Set(rows.compactMap { $0[0].text })
  }

  private static let step = isSoak ? 1 : 5
  private static let languages = ["ko", "ja", "de", "fr", "es"]

  @Test(
    "no English word stands in an answer where the datum has a name in the asker's language",
    arguments: Array(zip(0..., languages)))
  func english(number: Int, language: String) throws {
    let tree = URL(filePath: #filePath).appending(path: "../../..").standardized
    let questions = try PlaceQuestion.all(
      tree.appending(path: "Tests/Benchmarks/questions").path)
    var (count, faults) = (0, Set<String>())
    // Each language is asked for others of them.
    for i in stride(from: number % Self.step, to: questions.count, by: Self.step) {
      let question = questions[i]
      guard let english = question.first(atlas, in: "en"),
        let own = question.first(atlas, in: language),
        abs(own.coordinate.latitude - english.coordinate.latitude) < 0.001,
        abs(own.coordinate.longitude - english.coordinate.longitude) < 0.001
      else { continue }
      count += 1
      for part in Self.parts {
        guard let word = own[keyPath: part], word == english[keyPath: part] else { continue }
        let names = try names(word, language, near: own.coordinate)
        if !names.isEmpty, !names.contains(word) { faults.insert("\(word): \(names.sorted())") }
      }
    }
    #expect(count > 250 / Self.step && faults.isEmpty, "\(count) \(faults.sorted())")
  }
}
