internal import COsmium
internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Makes `NAME.places` in a folder from `NAME.osm.pbf`: all of it, or nothing.
package final class ImportJob {
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private static let cancelled = Failure(description: "The import is cancelled.")

  private let file: String
  private let extract: Descriptor
  private let folder: String
  let name: String
  private let isUpdate: Bool
  private let report: (_ phase: String, _ percent: Int) -> Void
  private let tell: (_ sentence: String) -> Void
  private let isCancelled: () -> Bool
  private var writer: ThingWriter?
  private var ground: GroundJob?
  private var districts: DistrictJob?
  private var trouble: Failure?
  private var shown: (String, Int) = ("", -1)

  /// Opens the file; `run` writes, and opens it no more. `isUpdate`: it takes the place of an older one.
  package init(
    file: String, folder: String, isUpdate: Bool = false, report: @escaping (String, Int) -> Void,
    tell: @escaping (String) -> Void = { _ in }, isCancelled: @escaping () -> Bool
  ) throws(Failure) {
    self.file = file
    self.folder = folder
    self.isUpdate = isUpdate
    name = try Self.name(of: file)
    let said = file.plain(atMost: 200)
    do throws(SystemError) { extract = try Descriptor(reading: file) } catch {
      throw Failure(description: SystemError(said, error.number).description)
    }
    guard extract.isFile() else { throw Failure(description: "\(said) is no file.") }
    self.report = report
    self.tell = tell
    self.isCancelled = isCancelled
  }

  /// `monaco` of `/tmp/monaco-latest.osm.pbf` and of `monaco-261127.osm.pbf`, whose day is not its name's.
  static func name(of file: String) throws(Failure) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? ""
    guard last.hasSuffix(".osm.pbf") else {
      throw Failure(description: "\(last.plain(atMost: 80)): the file's name must end in .osm.pbf.")
    }
    var name = String(last.dropLast(8))
    if let dash = name.lastIndex(of: "-"), dash > name.startIndex {
      let day = name[dash...].dropFirst().utf8
      let isDate = day.count == 6 && day.allSatisfy { (0x30...0x39).contains($0) }
      if isDate || day.elementsEqual("latest".utf8) { name = String(name[..<dash]) }
    }
    try check(name)
    return name
  }

  private static func check(_ name: String) throws(Failure) {
    let isPlain = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x5F
        || $0 == 0x2E
    }
    guard isPlain, (1...64).contains(name.utf8.count), !name.hasPrefix("."), name != "world" else {
      throw Failure(
        description: "The file's name must be letters, digits, '-', '_' and '.', and not 'world'.")
    }
  }

  /// Folders that go with an import or a removal.
  static func folders(of name: String) -> [String] {
    (try? check(name)) == nil ? [] : oldRoads.map { name + $0 }
  }

  /// Folders that earlier releases made beside it, whole and unfinished.
  private static let oldRoads = [
    ExtractTables.oldRoads, ExtractTables.oldRoads + ".unfinished",
  ]

  private static func removeOldRoads(_ name: String, folder: String) {
    for suffix in oldRoads { Folder.remove("\(folder)/\(name)\(suffix)") }
  }

  /// Takes an extract away again.
  package static func remove(_ name: String, folder: String) throws(Failure) {
    try check(name)
    let path = "\(folder)/\(name)\(ExtractTables.suffix)"
    defer { removeOldRoads(name, folder: folder) }
    guard unlink(path) == 0 else {
      throw Failure(
        description: errno == ENOENT
          ? "There is no extract '\(name)'." : SystemError(path).description)
    }
  }

  package func run() throws(Failure) {
    if mkdir(folder, 0o755) != 0, errno != EEXIST {
      throw Failure(description: SystemError(folder).description)
    }
    let path = "\(folder)/\(name)\(ExtractTables.suffix)"
    let older = isUpdate ? try OlderExtract(path, name, day: day()) : nil
    do throws(DatabaseError) {
      let builder = try DatabaseBuilder(
        path: path, ExtractTables.schema, isCancelled: isCancelled)
      let writer = try ThingWriter(builder)
      self.writer = writer
      defer { self.writer = nil }
      let roads = try system { () throws(SystemError) in
        try RoadJob(in: folder) { [unowned self] in show($0, $1) }
      }
      let ground = try system { () throws(SystemError) in
        try GroundJob(in: folder) { [unowned self] in show($0, $1) }
      }
      self.ground = ground
      defer { self.ground = nil }
      let districts = try system { () throws(SystemError) in try DistrictJob(in: folder) }
      self.districts = districts
      defer { self.districts = nil }
      let date = try failing { () throws(Failure) in try read(roads, ground, districts) }
      let finder = try DistrictFinder(districts.collector, builder)
      try Finishing(builder, count: writer.count, finder) { [unowned self] in show($0, $1) }.run()
      guard
        try system({ () throws(SystemError) in
          guard try roads.finish() else { return false }
          return try ground.finish()
        })
      else { throw .failed("cancelled") }
      for corner in roads.corners { writer.cover(corner) }
      try writer.describe(name: name, date: date, countries: finder.countries)
      let changes = try older?.changes(in: builder, count: writer.count, day: date)
      if roads.parts.isEmpty { tell("No ways will be found in it: it has no roads.") }
      for incomplete in [ground.incomplete, finder.sentence].compactMap(\.self) { tell(incomplete) }
      try withExtendedLifetime((roads, ground)) { () throws(DatabaseError) in
        try builder.finish(appending: roads.parts + ground.parts)
      }
      Self.removeOldRoads(name, folder: folder)
      if let changes { tell(changes) }
    } catch {
      if isCancelled() { throw Self.cancelled }
      throw trouble ?? Failure(description: "\(folder)/\(name): \(error).")
    }
    report("done", 100)
  }

  private func system<T>(_ body: () throws(SystemError) -> T) throws(DatabaseError) -> T {
    do throws(SystemError) { return try body() } catch { throw DatabaseError(error) }
  }

  private func failing<T>(_ body: () throws(Failure) -> T) throws(DatabaseError) -> T {
    do throws(Failure) { return try body() } catch {
      trouble = error
      throw .failed("")
    }
  }

  /// The day of the data.
  private func read(
    _ roads: RoadJob, _ ground: GroundJob, _ districts: DistrictJob
  ) throws(Failure) -> String {
    let face = cosmium_face(
      context: Unmanaged.passUnretained(self).toOpaque(),
      take: { context, thing in
        guard let context, let thing else { return false }
        return Unmanaged<ImportJob>.fromOpaque(context).takeUnretainedValue().take(thing.pointee)
      },
      progress: { context, phase, percent in
        guard let context, let phase else { return false }
        return Unmanaged<ImportJob>.fromOpaque(context).takeUnretainedValue()
          .show(String(cString: phase), Int(percent))
      })
    var date = [CChar](repeating: 0, count: 64)
    var message = [CChar](repeating: 0, count: 512)
    var (travelled, drawn, divided) = (roads.face, ground.face, districts.face)
    let result = cosmium_read(
      extract.number, folder, face, &travelled, &drawn, &divided, &date, date.count, &message,
      message.count)
    if result == cosmium_failed { throw unreadable(message) }
    if result == cosmium_full {
      throw Failure(description: "\(folder): \(DatabaseError.full).")
    }
    if result == cosmium_ended,
      let error = roads.trouble ?? ground.trouble ?? districts.trouble
    {
      throw Failure(description: "\(folder)/\(name): \(DatabaseError(error)).")
    }
    if result == cosmium_ended { throw trouble ?? Self.cancelled }
    return Self.day(date)
  }

  private func unreadable(_ message: [CChar]) -> Failure {
    let why = Self.text(message).plain(atMost: 200)
    return Failure(description: "\(file.plain(atMost: 200)) cannot be read: \(why).")
  }

  private static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func day(_ date: [CChar]) -> String {
    String(text(date).plain(atMost: 32).prefix(10))
  }

  /// The day that the file says, before it is read.
  private func day() throws(Failure) -> String {
    var date = [CChar](repeating: 0, count: 64)
    var message = [CChar](repeating: 0, count: 512)
    guard
      cosmium_date(extract.number, &date, date.count, &message, message.count) == cosmium_done
    else { throw unreadable(message) }
    return Self.day(date)
  }

  private func show(_ phase: String, _ percent: Int) -> Bool {
    if shown != (phase, percent) {
      shown = (phase, percent)
      report(phase, percent)
    }
    return !isCancelled()
  }

  private func take(_ thing: cosmium_thing) -> Bool {
    let tags = Tags(thing.tags, thing.tag_count)
    let shape = UnsafeBufferPointer(start: thing.places, count: thing.place_count).map { Spot($0) }
    let letter = Character(Unicode.Scalar(UInt8(bitPattern: thing.kind)))
    if ground?.take(tags, shape, isClosed: thing.is_closed, isRelation: letter == "r") == false {
      return false
    }
    if letter == "n", districts?.take(point: tags, shape) == false { return false }
    do throws(DatabaseError) {
      try writer?.write(
        tags, shape, isClosed: thing.is_closed,
        OSMNumber(letter: letter, thing.number))
      return true
    } catch {
      trouble = Failure(description: "\(folder)/\(name): \(error).")
      return false
    }
  }
}
