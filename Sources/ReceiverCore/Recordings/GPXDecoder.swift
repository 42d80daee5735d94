import Geodesy
import LocationModel

/// Reads the track points of GPX 1.0 and 1.1.
struct GPXDecoder: ~Copyable {
  private(set) var counters = ReceiverCounters()
  private var markup = MarkupReader()
  private var point: Point?
  /// The time of the last point, or the one before the first of those that have none.
  private var clock: Timestamp
  private var last: Coordinate?
  /// Some point has said a time: one that says none has lost its own.
  private var hasTimes = false

  /// `dateless`: the day on which a track without times begins, in days since 1970.
  init(dateless: Int) {
    clock = Timestamp(microseconds: Int64(dateless) * 86_400_000_000 - 1_000_000)
  }

  /// A track point, as far as its elements have said it.
  private struct Point {
    var latitude: Double?
    var longitude: Double?
    var time: Timestamp?
    var elevation: Double?
    var separation: Double?
    var speed: Double?
    var course: Double?
    var dilution = Dilution()
    var satellites: Int?
    var fix = ""
  }

  mutating func read(_ bytes: UnsafeRawBufferPointer, into readings: inout [Reading]) {
    counters.bytes += Int64(bytes.count)
    for byte in bytes where markup.read(byte) {
      readTag(&readings)
      markup.forget()
    }
  }

  private mutating func readTag(_ readings: inout [Reading]) {
    let tag = Tag(markup.tag.bytes)
    if tag.name.elementsEqual("trkpt".utf8) {
      if !tag.isEnd {
        counters.sentences += 1
        var begun = Point()
        begun.latitude = tag.attribute("lat").flatMap(Self.number)
        begun.longitude = tag.attribute("lon").flatMap(Self.number)
        point = begun
      }
      if tag.isEnd || tag.isEmpty {
        send(&readings)
        point = nil
      }
    } else if tag.isEnd, point != nil {
      add(tag.name, trimmed(markup.text.bytes))
    }
  }

  private mutating func add(_ name: Slice<UnsafeRawBufferPointer>, _ text: String) {
    switch String(decoding: name, as: UTF8.self) {
    case "time":
      point?.time = Timestamp(iso8601: text)
      hasTimes = true
    case "ele": point?.elevation = Double(text)
    case "geoidheight": point?.separation = Double(text)
    case "speed": point?.speed = Double(text)
    case "course": point?.course = Double(text)
    case "hdop": point?.dilution.horizontal = Dilution.known(Double(text))
    case "vdop": point?.dilution.vertical = Dilution.known(Double(text))
    case "pdop": point?.dilution.position = Dilution.known(Double(text))
    case "sat": point?.satellites = Int(text)
    case "fix": point?.fix = text
    default: break
    }
  }

  private mutating func send(_ readings: inout [Reading]) {
    guard let point, point.fix != "none" else {
      counters.withoutFix += 1
      return
    }
    guard let latitude = point.latitude, let longitude = point.longitude else {
      counters.malformed += 1
      return
    }
    guard point.time != nil || !hasTimes else {
      counters.undated += 1
      return
    }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let time = point.time ?? timeAtUsualPace(place)
    if point.time == nil { counters.timeless += 1 }
    (clock, last) = (time, place)
    let kind: Fix.Kind =
      point.fix == "dgps" ? .differential : point.fix == "pps" ? .precise : .autonomous
    let dilution = point.dilution.horizontal
    let metres = Accuracy.metres(kind)
    let horizontal = (dilution ?? Accuracy.usualDilution) * metres
    var location = Location(
      coordinate: place,
      horizontalAccuracy: max(horizontal, Accuracy.least), timestamp: time)
    location.altitude = point.elevation
    if let elevation = point.elevation {
      location.ellipsoidalAltitude = point.separation.map { elevation + $0 }
      if point.fix != "2d" {
        location.verticalAccuracy =
          point.dilution.vertical.map { $0 * metres }
          ?? location.horizontalAccuracy * Accuracy.usualVerticalRatio
      }
    }
    location.speed = point.speed.flatMap { $0 >= 0 ? $0 : nil }
    location.course = point.course.flatMap(\.direction)
    guard location.isValid else {
      counters.malformed += 1
      return
    }
    var fix = Fix(location, kind: kind)
    fix.dilution = point.dilution
    fix.satellitesUsed = point.satellites
    counters.fixes += 1
    readings.append(.fix(fix))
  }

  /// A track that was drawn has no times: it is gone along at 10 m/s, with a second between points at least.
  private func timeAtUsualPace(_ place: Coordinate) -> Timestamp {
    let metres = place.isValid ? last.map { $0.distance(to: place) } ?? 0 : 0
    return clock + .seconds(max(1, metres / Self.usualPace))
  }

  private static let usualPace = 10.0

  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Double? {
    Double(String(decoding: text, as: UTF8.self))
  }

  private func trimmed(_ text: UnsafeRawBufferPointer) -> String {
    let start = text.firstIndex { !$0.isSpace } ?? text.endIndex
    let end = text.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? start
    return String(decoding: text[start..<end], as: UTF8.self)
  }
}

/// A tag's parts, where they lie.
private struct Tag {
  private let bytes: UnsafeRawBufferPointer
  /// Without its namespace.
  let name: Slice<UnsafeRawBufferPointer>
  let isEnd: Bool
  /// `<name/>`.
  let isEmpty: Bool

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    isEnd = bytes.first == UInt8(ascii: "/")
    isEmpty = !isEnd && bytes.last == UInt8(ascii: "/")
    let whole = bytes.dropFirst(isEnd ? 1 : 0).prefix { !$0.isSpace && $0 != UInt8(ascii: "/") }
    name = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
  }

  /// The value in quotes after ` name=`.
  func attribute(_ name: StaticString) -> Slice<UnsafeRawBufferPointer>? {
    let sought = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var at = bytes.firstIndex(where: \.isSpace) ?? bytes.endIndex
    while at < bytes.endIndex {
      at = bytes[at...].firstIndex { !$0.isSpace } ?? bytes.endIndex
      guard let equals = bytes[at...].firstIndex(of: UInt8(ascii: "=")),
        let open = bytes[(equals + 1)...].firstIndex(where: { !$0.isSpace }),
        bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
        let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
      else { return nil }
      let key = bytes[at..<equals].prefix { !$0.isSpace }
      if key.elementsEqual(sought) { return bytes[(open + 1)..<close] }
      at = close + 1
    }
    return nil
  }
}
