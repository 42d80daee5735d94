import Foundation
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore

@testable import TrackStore

/// A folder for a track, and the loop that it answers on.
final class Ground {
  let folder = FileManager.default.temporaryDirectory.appending(path: "track-\(UUID())")
  let loop: EventLoop
  private(set) var store: TrackStore?

  static let noon = Timestamp(microseconds: 1_772_359_200_000_000)

  init() throws {
    loop = try EventLoop()
    store = try TrackStore(folder: folder.path, on: loop)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The instant so many seconds after noon by the clock, and after the start of the machine.
  static func instant(_ seconds: Int64, after boot: Int64 = 0) -> Instant {
    Instant(
      boottime: .start + .seconds(boot), utc: noon + .seconds(seconds), utcTrusted: false)
  }

  func close() { store = nil }

  func page(
    from: Timestamp, to: Timestamp, after number: Int64 = 0, limit: Int = 1_000_000
  ) throws -> TrackPage {
    var page: TrackPage?
    store?.read(from: from, to: to, after: number, limit: limit) { page = try? $0.get() }
    try wait { page != nil }
    return try #require(page)
  }

  func open() throws {
    store = nil
    _ = try eventually {
      store = try TrackStore(folder: folder.path, on: loop)
      return store?.failure == nil
    }
  }

  func wait(until isSo: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(patience)
    while !isSo(), ContinuousClock.now < deadline { try loop.turn(within: .milliseconds(50)) }
    try #require(isSo())
  }

  static func entries(_ range: ClosedRange<Int>) -> [TrackEntry] {
    range.map { i in
      TrackEntry(
        .place,
        Location(
          coordinate: Coordinate(latitude: 45 + Double(i) / 1e5, longitude: 7),
          horizontalAccuracy: 5, timestamp: noon + .seconds(i)))
    }
  }

  func append(_ range: ClosedRange<Int>, event: TrackRecorder.EventNumber? = nil) throws {
    var isDone = false
    store?.append(Self.entries(range), event: event) { result in
      #expect((try? result.get()) != nil)
      isDone = true
    }
    try wait { isDone }
  }

  func all() throws -> [TrackEntry] {
    var result: [TrackEntry]?
    store?.read(1...1_000_000) { result = try? $0.get() }
    try wait { result != nil }
    return result ?? []
  }
}
