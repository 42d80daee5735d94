internal import PlaceCore
internal import Platform

/// ESRI's shapes and their table of names, as Natural Earth gives them.
enum Shapefile {
  /// The rings of each record.
  static func shapes(_ path: String) throws -> [Shape] {
    let bytes = try File.bytes(of: path, atMost: 1 << 28)
    var reader = LittleEndian(bytes, at: 100)
    var shapes: [Shape] = []
    while reader.place + 12 <= bytes.count {
      let start = reader.place
      // Words of two bytes, the highest first.
      let length = (4..<8).reduce(0) { $0 << 8 | Int(bytes[start + $1]) } * 2
      reader.place = start + 8
      shapes.append(Shape(rings: reader.number() == 5 ? try rings(&reader, path) : []))
      reader.place = start + 8 + length
    }
    return shapes
  }

  private static func rings(_ reader: inout LittleEndian, _ path: String) throws -> [[GridPoint]] {
    reader.place += 32
    guard let parts = reader.number(), let points = reader.number(), parts >= 0, points >= 0,
      parts < 1 << 20, points < 1 << 24
    else { throw BuildError("\(path) has no rings") }
    let starts = (0..<parts).compactMap { _ in reader.number() } + [points]
    guard starts.count == parts + 1 else { throw BuildError("\(path) ends too early") }
    return zip(starts, starts.dropFirst()).compactMap { start, end in
      var ring: [GridPoint] = []
      for _ in start..<max(start, end) {
        guard let x = reader.double(), let y = reader.double() else { return nil }
        let point = GridPoint(x: Int((x * 1e6).rounded()), y: Int((y * 1e6).rounded()))
        if ring.last != point { ring.append(point) }
      }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      return ring.count > 2 ? ring : nil
    }
  }

  /// The fields of each record, of dBASE's table.
  static func records(_ path: String) throws -> [[String: String]] {
    let bytes = try File.bytes(of: path, atMost: 1 << 28)
    guard bytes.count > 32 else { throw BuildError("\(path) is no table") }
    func short(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
    let (head, length) = (short(8), short(10))
    var fields: [(name: String, length: Int)] = []
    var at = 32
    while at + 32 <= min(head, bytes.count), bytes[at] != 0x0D {
      let name = bytes[at..<at + 11].prefix { $0 != 0 }
      fields.append((String(decoding: name, as: UTF8.self), Int(bytes[at + 16])))
      at += 32
    }
    guard length > 0 else { throw BuildError("\(path) has no fields") }
    return stride(from: head, to: bytes.count - length + 1, by: length).map { record in
      var place = record + 1
      return fields.reduce(into: [:]) { values, field in
        let text = String(decoding: bytes[place..<place + field.length], as: UTF8.self)
        place += field.length
        values[field.name] = String(
          text.prefix { $0 != "\0" }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }
}

/// Numbers of a file, the lowest byte first.
private struct LittleEndian {
  private let bytes: [UInt8]
  var place: Int

  init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place) = (bytes, place) }

  mutating func number() -> Int? {
    guard place + 4 <= bytes.count else { return nil }
    defer { place += 4 }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  mutating func double() -> Double? {
    guard place + 8 <= bytes.count else { return nil }
    defer { place += 8 }
    return Double(
      bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[place + $1]) << (8 * UInt64($1)) })
  }
}
