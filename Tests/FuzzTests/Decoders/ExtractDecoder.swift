import Glibc

@testable import PlaceImport

extension Decoder {
  /// Extracts of OpenStreetMap, through the import in a folder of its own: up to the sorting, or to the end.
  static var extract: Decoder {
    Decoder(
      name: "extract",
      words: extremes + [
        "OSMHeader", "OSMData", "OsmSchema-V0.6", "DenseNodes", "HistoricalInformation", "name",
        "highway", "amenity", "addr:housenumber", "addr:street", "type", "multipolygon",
        "associatedStreet", "outer", "house", "\u{8}", "\u{12}", "\u{1A}", "\u{22}", "\u{A}",
        "\0\0\0\u{D}", "\u{7F}", "\0",
      ],
      seeds: [
        [0x40] + ExtractBytes.file(), [0x40] + ExtractBytes.file(isPacked: true),
        [0x41] + ExtractBytes.block(), [0x43] + ExtractBytes.block(),
        [0x41] + ExtractBytes.block("addr:housen\0mber"),
      ]
    ) { input in
      let (choice, bytes) = input.choice
      // The bytes are those of a file, or of the things in one.
      let file = choice & 1 == 0 ? bytes : ExtractBytes.file(bytes, isPacked: choice & 4 != 0)
      importing(file, upTo: choice & 2 == 0 ? "sorting" : nil)
    }
  }

  private static func importing(_ bytes: [UInt8], upTo last: String?) {
    var name = Array("\(folder)/locationd-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { return check(false, "no folder") }
    let place = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let (file, places) = (place + "/a.osm.pbf", place + "/places")
    let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    check(write(descriptor, bytes, bytes.count) == bytes.count, "no file")
    close(descriptor)
    var phase = ""
    let job = try? ImportJob(
      file: file, folder: places, report: { now, _ in phase = now },
      isCancelled: { phase == last })
    do { try job?.run() } catch {
      check(!"\(error)".isEmpty, "it fails without a word")
      check(rmdir(places) == 0, "it leaves something behind")
    }
    check(phase != "done" || last == nil, "nothing has stopped it")
    if phase == "done" {
      unlink(places + "/a.places")
      check(rmdir(places) == 0, "it leaves something else")
    }
    unlink(file)
    rmdir(place)
  }

  /// In memory where there is such a folder: many thousands are made.
  private static let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
}

/// A small extract: a street, a house by it, a square and a relation that is an area.
enum ExtractBytes {
  /// With the things of a block, or the bytes in their place. `isPacked`: as zlib has it, without compressing.
  static func file(_ block: [UInt8] = block(), isPacked: Bool = false) -> [UInt8] {
    blob("OSMHeader", header, isPacked) + blob("OSMData", block, isPacked)
  }

  /// `key`: of the house's number.
  static func block(_ key: String = "addr:housenumber") -> [UInt8] {
    let texts = [
      "", "highway", "residential", "name", "A", key, "1", "amenity", "cafe",
      "type", "multipolygon", "leisure", "park", "outer",
    ]
    let strings = field(1, texts.flatMap { field(1, Array($0.utf8)) })
    let nodes =
      field(1, packed([1, 1, 1, 1].map(zigzag)))
      + field(8, packed([500_000_000, 1000, 1000, -1000].map(zigzag)))
      + field(9, packed([80_000_000, 0, 1000, 1000].map(zigzag)))
      + field(10, packed([5, 6, 0, 7, 8, 3, 4, 0, 0, 0]))
    let street =
      field(1, 10) + field(2, packed([1, 3])) + field(3, packed([2, 4]))
      + field(8, packed([1, 1, 1].map(zigzag)))
    let edge = field(1, 11) + field(8, packed([1, 1, 1, 1, -3].map(zigzag)))
    let area =
      field(1, 20) + field(2, packed([9, 11, 3])) + field(3, packed([10, 12, 4]))
      + field(8, packed([13])) + field(9, packed([11].map(zigzag))) + field(10, packed([1]))
    return strings + field(2, field(2, nodes)) + field(2, field(3, street) + field(3, edge))
      + field(2, field(4, area))
  }

  private static var header: [UInt8] {
    field(4, Array("OsmSchema-V0.6".utf8)) + field(4, Array("DenseNodes".utf8))
      + field(32, 1_772_359_200)
  }

  private static func blob(_ type: String, _ bytes: [UInt8], _ isPacked: Bool) -> [UInt8] {
    let data =
      isPacked
      ? field(2, UInt64(bytes.count)) + field(3, zlib(bytes)) : field(1, bytes)
    let head = field(1, Array(type.utf8)) + field(3, UInt64(data.count))
    return (0..<4).reversed().map { UInt8(head.count >> (8 * $0) & 0xFF) } + head + data
  }

  /// A stored block, and Adler's sum.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = bytes.prefix(65_535)
    let sizes = [bytes.count, ~bytes.count].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
    let (a, b) = bytes.reduce((1, 0)) { sum, byte in
      let a = (sum.0 + Int(byte)) % 65_521
      return (a, (sum.1 + a) % 65_521)
    }
    return [0x78, 0x01, 1] + sizes + bytes
      + [b >> 8, b & 0xFF, a >> 8, a & 0xFF].map { UInt8($0) }
  }

  private static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(UInt64(bytes.count)) + bytes
  }

  private static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  private static func packed(_ numbers: [UInt64]) -> [UInt8] { numbers.flatMap(varint) }

  private static func zigzag(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number << 1 ^ number >> 63)
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
