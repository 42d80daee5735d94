import LocationModel
import PlaceCore
import Platform
import Testing

@testable import PlaceStore

@Suite("What completes a text, with an extract beside the world") struct CompletionTests {
  private let files: SmallFiles
  private let atlas: Atlas
  private static let here = Coordinate(latitude: 43.73, longitude: 7.42)
  private static let elsewhere = Coordinate(latitude: 48, longitude: 2)

  init() throws { try self.init(isExtractWhole: true) }

  /// An extract that is not whole cannot say what is called so.
  private init(isExtractWhole: Bool) throws {
    files = try SmallFiles()
    try files.make(files.world, WorldSchema.schema) { file in
      try file.insert("zone", .integer(1), .text("Europe/Paris"))
      try file.insert("country", .text("FR"), .text("fr"), .integer(0))
      try file.addTown(1, ["Portets"], in: "FR", people: 2600, 44, 0)
      try file.addTown(2, ["Portbail"], in: "FR", people: 1700, 49, -1)
      try file.addTown(3, ["Limoges"], in: "FR", people: 130_000, 45, 1)
    }
    try files.make(files.extract, ExtractTables.schema) { file in
      for (key, value) in [("name", "small"), ("coverage", "43.7 7.4 43.8 7.5"), ("date", "2026")] {
        try file.insert("about", .text(key), .text(value))
      }
      try file.addThing(1, .named, "Port Hercule", at: Self.here)
      try file.addThing(2, .named, "Limonade", at: Self.here)
      if !isExtractWhole { try file.run("DROP TABLE words") }
    }
    atlas = Atlas(folders: [files.path])
  }

  private func titles(_ text: String, near: Coordinate?, limit: Int = 5) throws -> [String] {
    var request = CompletionRequest(text)
    request.near = near
    request.limit = limit
    return try atlas.complete(request).map(\.title)
  }

  @Test("where the person is, an extract's things come before towns; elsewhere behind them")
  func order() throws {
    #expect(try titles("port", near: Self.here).first == "Port Hercule")
    #expect(try titles("port", near: Self.here).count == 3)
    #expect(try titles("port", near: Self.elsewhere).last == "Port Hercule")
    #expect(try titles("port", near: nil).last == "Port Hercule")
  }

  @Test("no more are told than are asked for, the first ones")
  func limits() throws {
    for place in [Self.here, Self.elsewhere] {
      let all = try titles("port", near: place)
      for limit in 1...3 {
        #expect(try titles("port", near: place, limit: limit) == Array(all.prefix(limit)))
      }
    }
  }

  @Test("an extract behind enough towns is not asked")
  func unasked() throws {
    let broken = try Self(isExtractWhole: false)
    #expect(try broken.titles("port", near: Self.elsewhere, limit: 2).count == 2)
    #expect(throws: Refusal.self) { try broken.titles("port", near: Self.elsewhere, limit: 3) }
  }

  @Test("a letter may be wrong where neither has the text as it is written")
  func misspelt() throws {
    for place in [Self.here, Self.elsewhere] {
      #expect(try titles("Limoqes", near: place) == ["Limoges"])
      #expect(try titles("Limonade", near: place) == ["Limonade"])
    }
  }
}
