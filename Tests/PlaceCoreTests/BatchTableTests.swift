import LocationModel
import PlaceCore
import TestSupport
import Testing

@Suite("Tables of questions") struct BatchTableTests {
  private func rows(_ text: String, chunk: Int = .max, longest: Int = 1000) -> [CSVReader.Row] {
    var reader = CSVReader(longest: longest)
    let bytes = Array(text.utf8)
    var rows: [CSVReader.Row] = []
    for start in stride(from: 0, to: bytes.count, by: min(chunk, max(bytes.count, 1))) {
      rows += reader.read(bytes[start..<min(start + min(chunk, bytes.count), bytes.count)])
    }
    return rows + [reader.end()].compactMap(\.self)
  }

  @Test(
    "fields come as they were quoted, however the text is cut",
    arguments: [
      ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
      ("a,b\r\n\"1,\"\"x\"\"\",2", [["a", "b"], ["1,\"x\"", "2"]]),
      ("a\n\"two\nlines\"\n", [["a"], ["two\nlines"]]),
      ("\u{FEFF}a;b\n1;2", [["a", "b"], ["1", "2"]]),
      ("a\tb\n1\t\n", [["a", "b"], ["1", ""]]), ("a\n\n\nb\n", [["a"], ["b"]]),
      ("a,b\n,\n\"\"\n", [["a", "b"], ["", ""], [""]]), ("", []),
      ("a\nsays \"so\",\"x\"y\n", [["a"], ["says \"so\"", "xy"]]),
      ("서울,부산\n", [["서울", "부산"]]), ("\"a, b\";c\n1;2\n", [["a, b", "c"], ["1", "2"]]),
      ("a;b", [["a", "b"]]),
    ])
  func fields(text: String, expected: [[String]]) {
    #expect(rows(text) == expected.map { .fields($0) })
    for chunk in [1, 2, 3, 7] { #expect(rows(text, chunk: chunk) == rows(text)) }
  }

  @Test("a line that is too long is told as such, and the next is read")
  func long() {
    let read = rows("a\n" + String(repeating: "x", count: 2000) + "\nb\n")
    #expect(read.count == 3 && read.last == .fields(["b"]))
    if case .tooLong = read[1] {} else { Issue.record("\(read)") }
  }

  private func question(
    _ kind: BatchTable.Kind, _ header: [String], _ row: [String], columns: [String] = []
  ) throws -> PlaceRequest? {
    try? BatchTable(kind, header: header, columns: columns, GeocodeRequest("").options)
      .question(of: .fields(row)).get()
  }

  @Test("the columns that ask are known by their names, or are named")
  func columns() throws {
    #expect(
      try question(.geocode, ["id", "Address"], ["1", " 31  Rue Grimaldi "])
        == .geocode(GeocodeRequest("31 Rue Grimaldi")))
    #expect(
      try question(.geocode, ["street", "town"], ["Weg 1", "Ulm"], columns: ["Street", "town"])
        == .geocode(GeocodeRequest("Weg 1, Ulm")))
    #expect(try question(.geocode, ["anything"], ["Ulm"]) == .geocode(GeocodeRequest("Ulm")))
    var place = ReverseRequest(Coordinate(latitude: 48.5, longitude: -9.25))
    place.options = GeocodeRequest("").options
    for (header, row) in [
      (["lon", "lat"], ["-9.25", "48.5"]), (["Place"], ["48.5, -9.25"]),
      (["x", "y"], ["-9.25", "48.5"]),
      (["LatLng"], ["48.5 N 9.25 W"]),
    ] {
      #expect(try question(.reverse, header, row) == .reverseGeocode(place), "\(header)")
    }
    #expect(throws: Refusal.self) {
      try BatchTable(.geocode, header: ["a", "b"], GeocodeRequest("").options)
    }
    #expect(throws: Refusal.self) {
      try BatchTable(.reverse, header: ["lat", "b"], GeocodeRequest("").options)
    }
    #expect(throws: Refusal.self) {
      try BatchTable(.reverse, header: ["lat"], columns: ["lon"], GeocodeRequest("").options)
    }
  }

  @Test("a row that asks nothing says why")
  func unusable() throws {
    for row in [[], [""], ["91", "7"], ["1", "east"], ["1", "nan"]] {
      #expect(try question(.reverse, ["lat", "lon"], row) == nil, "\(row)")
    }
    #expect(try question(.geocode, ["text"], [" "]) == nil)
    #expect(try question(.geocode, ["text"], ["Weg 1", "Ulm"]) == nil, "a comma is not quoted")
    #expect(try question(.geocode, ["text"], [String(repeating: "a", count: 2000)]) == nil)
  }

  @Test("a line is as it came, with its answer behind it, quoted, and no formula of another's")
  func answers() throws {
    let table = try BatchTable(
      .geocode, header: ["text", "name"], separator: UInt8(ascii: ";"), GeocodeRequest("").options)
    #expect(table.headerLine.hasPrefix("text;name;latitude;longitude;precision;radius;found_name;"))
    #expect(table.headerLine.hasSuffix(";error\n"))
    var place = Placemark(Coordinate(latitude: 43.73, longitude: -7.42))
    (place.name, place.precision, place.radius) = ("=1+1", .town, 1234.4)
    place.isPartial = true
    let line = table.line(.fields(["a;b", "=x", "too much"]), .success(place))
    #expect(line.hasPrefix("\"a;b\";=x;43.73;-7.42;town;1234;'=1+1;"))
    #expect(line.hasSuffix(";not all of it is known\n"))
    let refused = table.line(.fields(["a"]), .failure(Refusal(.geocodeFoundNoResult, "None.")))
    #expect(refused.hasPrefix("a;;;") && refused.hasSuffix(";None.\n"))
    func columns(_ line: String) -> Int {
      line.split(separator: ";", omittingEmptySubsequences: false).count
    }
    #expect(columns(refused) == columns(table.headerLine))
  }
}
