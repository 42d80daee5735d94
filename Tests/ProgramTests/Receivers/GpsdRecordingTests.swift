import Foundation
import Geodesy
import Glibc
import LocationCore
import LocationModel
import Platform
import ReceiverCore
import TestSupport
import Testing

@testable import locationd

/// A recording that a gpsd reads over TCP as if a receiver said it, and the source that watches it.
private final class Station {
  let name: String
  let listener: Listener
  let device: String
  let pieces: [Data]
  let expected: [Location]
  var speaker: Speaker?
  var source: GpsdSource?
  var fixes: [Location] = []
  var isFound = false
  /// Gpsd's reports of it, line by line.
  var reports = ""

  /// Its first epochs, each with what is said between it and the next.
  init(_ url: URL, most: Int) throws {
    name = url.lastPathComponent
    let (listener, port) = try Listener.tcp()
    self.listener = listener
    device = "tcp://127.0.0.1:\(port)"
    var pieces: [Data] = []
    var piece = Data()
    var last: Data?
    for line in try Data(contentsOf: url).split(separator: 0x0A, omittingEmptySubsequences: false) {
      if let time = Self.time(of: line), time != last {
        last = time
        pieces.append(piece)
        piece = Data()
        if pieces.count > most { break }
      }
      piece += line + [0x0A]
    }
    pieces.append(piece)
    self.pieces = pieces

    expected = Self.decode(pieces)
  }

  /// As `decode` does.
  private static func decode(_ pieces: [Data]) -> [Location] {
    var decoder = RecordingDecoder(dateless: Clock.utc.dayNumber)
    var readings: [Reading] = []
    for piece in pieces {
      piece.withUnsafeBytes { decoder.read($0, at: .now, into: &readings) }
    }
    decoder.flush(at: .now, into: &readings)
    return readings.compactMap { if case .fix(let fix) = $0 { fix.location } else { nil } }
  }

  /// The fixes of a recording of what gpsd tells.
  var recorded: [Location] { Self.decode([Data(reports.utf8)]) }

  private static func time(of line: Data) -> Data? {
    let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard let address = fields.first, address.count == 6, address.first == UInt8(ascii: "$") else {
      return nil
    }
    switch String(decoding: address.suffix(3), as: UTF8.self) {
    case "RMC", "GGA", "GNS": return fields.count > 1 ? fields[1] : nil
    case "GLL": return fields.count > 5 ? fields[5] : nil
    default: return nil
    }
  }

  /// gpsd puts a date before 2017 into the next round of 1024 weeks.
  static func moment(_ time: Timestamp) -> Int64 {
    time.microseconds % (1024 * 7 * Timestamp.microsecondsPerDay)
  }

  func isExpected(_ location: Location) -> Bool {
    expected.contains {
      Self.moment($0.timestamp) == Self.moment(location.timestamp)
        && $0.coordinate.distance(to: location.coordinate) < 0.2
    }
  }
}

@Suite("Recordings, over gpsd", .serialized) struct GpsdRecordingTests {
  private static let recordings: [URL] = {
    let folder = URL(filePath: Recordings.directory)
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (all ?? []).filter { $0.pathExtension == "nmea" }.sorted { $0.path < $1.path }
  }()

  /// As many devices as a gpsd takes.
  private static let batches = stride(from: 0, to: recordings.count, by: 4).map {
    Array(recordings[$0..<min($0 + 4, recordings.count)])
  }

  @Test(
    "give the same places and times as `decode` gives of the file", arguments: batches)
  func same(recordings: [URL]) throws {
    let stations = try recordings.map { try Station($0, most: 60) }
    let gpsd = try RealGpsd(stations.map(\.device), port: try RealGpsd.freePort())
    for station in stations { station.speaker = try station.listener.accept(within: patience) }
    let loop = try EventLoop()
    let resolver = try Resolver(on: loop)
    for (i, station) in stations.enumerated() {
      let context = SourceContext(id: SourceID(i), loop: loop, resolver: resolver) { input in
        switch input {
        case .reading(_, .fix(let fix)): station.fixes.append(fix.location)
        case .found: station.isFound = true
        default: break
        }
      }
      let source = try GpsdSource(
        .init(host: "127.0.0.1", port: gpsd.port, device: station.device), in: context)
      station.source = source
      source.open(for: .all)
    }
    func turn(for seconds: Double, until isSo: () -> Bool = { false }) throws {
      let end = Clock.boottime + .seconds(seconds)
      while Clock.boottime < end, !isSo() { try loop.turn(within: .milliseconds(5)) }
    }
    var watcher: Watcher?
    try turn(for: patience) {
      if watcher == nil { watcher = Watcher(port: gpsd.port) }
      return stations.allSatisfy(\.isFound) && watcher != nil
    }
    #expect(stations.filter(\.isFound).count == stations.count)

    // Each epoch once, however many reports it has.
    var told: [String: [Timestamp]] = [:]
    func listen() {
      for line in watcher?.lines() ?? [] {
        guard let report = try? JSON(parsing: line), let device = report["device"]?.string
        else { continue }
        stations.first { $0.device == device }?.reports += line + "\n"
        guard Watcher.isFix(report),
          let time = report["time"]?.string.flatMap(Timestamp.init(iso8601:))
        else { continue }
        if told[device]?.last != time { told[device, default: []].append(time) }
      }
    }
    for i in 0..<(stations.map(\.pieces.count).max() ?? 0) {
      for station in stations where i < station.pieces.count {
        station.speaker?.say(Array(station.pieces[i]))
      }
      try turn(for: 0.03)
      listen()
    }
    // One that never says a time is of now.
    func dated(_ fixes: [Location], _ station: Station) -> [Location] {
      fixes.filter { told[station.device]?.contains($0.timestamp) == true }
    }
    func isToldAll(_ station: Station) -> Bool {
      dated(station.fixes, station).map(\.timestamp) == told[station.device, default: []]
    }
    // However long it takes, until there is nothing more to come.
    var heard = -1
    while case let count = told.values.reduce(0, { $0 + $1.count }), count != heard {
      heard = count
      try turn(for: 1.5)
      listen()
    }
    try turn(for: patience) { stations.allSatisfy(isToldAll) }
    for station in stations {
      station.source?.close()
      // All that gpsd says is told, once.
      #expect(isToldAll(station), "\(station.name)")
      // A recording of what gpsd says gives the same, to the last digit.
      let (live, recorded) = (dated(station.fixes, station), dated(station.recorded, station))
      #expect(recorded.map(\.timestamp) == live.map(\.timestamp), "\(station.name)")
      #expect(recorded.map(\.coordinate) == live.map(\.coordinate), "\(station.name)")
      // It is where and when the receiver's recording says.
      for fix in live where !station.isExpected(fix) {
        Issue.record("\(station.name): \(fix.timestamp) is not in the recording")
      }
    }
    let count = stations.reduce(0) { $0 + $1.fixes.count }
    #expect(count * 2 > stations.reduce(0) { $0 + $1.expected.count })
    try gpsd.kill()
  }
}
