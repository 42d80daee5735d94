import Foundation
import LocationModel
import PlaceCore
import Platform
import TestSupport
import Testing

@testable import PlaceStore

@Suite("Files of places that cannot be used") struct UnusableFileTests {
  private let files: SmallFiles

  init() throws { files = try SmallFiles() }

  private func makeWorld() throws {
    try files.make(files.world, WorldSchema.schema) { file in
      for rank in 1...200 as ClosedRange<Int64> {
        try file.addTown(rank, ["Town \(rank)"], in: "FR", people: 1000, 48, 2)
      }
    }
  }

  private func error(_ open: () throws -> Void) -> DatabaseError? {
    do {
      try open()
      return nil
    } catch {
      return error as? DatabaseError
    }
  }

  private func openWorld() throws { _ = try World(path: files.world) }

  @Test("a newer program's file is refused, and an older one's says so")
  func versions() throws {
    let steps = WorldSchema.schema.steps
    try files.make(
      files.world,
      DatabaseSchema(application: WorldSchema.application, steps: steps + ["CREATE TABLE x (y)"])
    ) { _ in }
    #expect(error(openWorld) == .newer(version: Int64(steps.count + 1)))
    try files.make(
      files.world,
      DatabaseSchema(application: WorldSchema.application, steps: Array(steps.dropLast()))
    ) { _ in }
    #expect(error(openWorld) == .failed("an older locationd made it"))
  }

  @Test("another kind's file is refused, for each kind")
  func foreign() throws {
    try files.make(files.world, PostcodeTables.schema) { _ in }
    try files.make(files.postcodes, ExtractTables.schema) { _ in }
    try files.make(files.extract, WorldSchema.schema) { _ in }
    #expect(error(openWorld) == .foreign)
    #expect(error { _ = try Postcodes(path: files.postcodes) } == .foreign)
    #expect(error { _ = try Extract(path: files.extract) } == .foreign)
  }

  @Test("what is no database is refused")
  func noDatabase() throws {
    try files.write(
      Array("no database, though it is long enough for a header".utf8), to: files.world)
    #expect(error(openWorld) == .foreign)
    try files.write([], to: files.world)
    #expect(error(openWorld) == .foreign)
    try FileManager.default.removeItem(atPath: files.world)
    #expect(error(openWorld) != nil)
    try FileManager.default.createDirectory(
      atPath: files.world, withIntermediateDirectories: false)
    #expect(error(openWorld) != nil)
  }

  @Test("a link is not followed")
  func link() throws {
    try makeWorld()
    let real = files.path + "/real"
    try FileManager.default.moveItem(atPath: files.world, toPath: real)
    try FileManager.default.createSymbolicLink(atPath: files.world, withDestinationPath: real)
    #expect(error(openWorld) != nil)
  }

  @Test(
    "a file that ends too early, or has other bytes in it, is an error and no crash",
    arguments: UInt64(0)..<20)
  func damaged(seed: UInt64) throws {
    try makeWorld()
    let whole = try files.bytes(of: files.world)
    var dice = Dice(seed: seed)
    var bytes = whole
    if seed % 2 == 0 {
      bytes.removeLast(Int.random(in: 1..<whole.count, using: &dice))
    } else {
      for _ in 0..<2000 {
        bytes[Int.random(in: 100..<whole.count, using: &dice)] = UInt8.random(
          in: 0...255, using: &dice)
      }
    }
    try files.write(bytes, to: files.world)
    _ = error {
      let world = try World(path: files.world)
      for text in ["town", "town 7", "tow"] {
        let hits = try world.hits(for: text, near: nil, isPrefix: true, limit: 5)
        _ = try world.placemarks(of: hits, in: "fr")
      }
      _ = try world.reverse(Coordinate(latitude: 48, longitude: 2), in: "fr")
    }
  }

  @Test("the atlas says what is wrong with each file, and answers with those that can be read")
  func atlas() throws {
    try makeWorld()
    try files.write(Array("x".utf8), to: files.postcodes)
    try files.write(Array("x".utf8), to: files.extract)
    let atlas = Atlas(folders: [files.path])
    #expect(atlas.dataSets.map(\.name) == ["world", "postcodes", "small"])
    #expect(atlas.dataSets.map { $0.trouble == nil } == [true, false, false])
  }

  @Test("a file that comes or goes while the atlas is open counts at the next look")
  func refresh() throws {
    let atlas = Atlas(folders: [files.path])
    #expect(throws: Refusal.self) { try atlas.geocode(GeocodeRequest("Town 7")) }
    try makeWorld()
    atlas.refresh()
    #expect(try atlas.geocode(GeocodeRequest("Town 7")).first?.name == "Town 7")
    try FileManager.default.removeItem(atPath: files.world)
    atlas.refresh()
    #expect(throws: Refusal.self) { try atlas.geocode(GeocodeRequest("Town 7")) }
    #expect(atlas.dataSets.isEmpty)
  }

  @Test("a question that takes too long is interrupted, and says so")
  func limit() throws {
    try makeWorld()
    let limit = WorkLimit()
    let world = try World(path: files.world, limit: limit)
    limit.begin(.zero)
    #expect(
      error {
        for _ in 0..<1000 { _ = try world.hits(for: "town", near: nil, isPrefix: true, limit: 5) }
      } == .interrupted)
    limit.finish()
    #expect(try !world.hits(for: "town", near: nil, isPrefix: true, limit: 5).isEmpty)
  }
}
