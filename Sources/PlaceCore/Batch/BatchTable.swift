package import LocationModel

/// A table of questions: which of its columns ask, what each row asks, and the columns of the answers behind it.
package struct BatchTable: Sendable {
  package enum Kind: Sendable {
    case geocode, reverse
  }

  /// A row's question, or why it asks none.
  package typealias Question = Result<PlaceRequest, Refusal>

  private let kind: Kind
  private let header: [String]
  private let asking: [Int]
  private let separator: UInt8
  /// The options of each question.
  private let options: PlaceOptions

  private static let texts = ["text", "address", "query", "q", "place", "name", "addr", "location"]
  private static let latitudes = ["latitude", "lat", "y"]
  private static let longitudes = ["longitude", "lon", "lng", "long", "x"]
  private static let pairs = ["coordinate", "coordinates", "place", "location", "latlon", "latlng"]

  /// `columns`: the names of those that ask; empty where the header's usual words say them.
  package init(
    _ kind: Kind, header: [String], columns: [String] = [], separator: UInt8 = CSV.comma,
    _ options: PlaceOptions
  ) throws(Refusal) {
    (self.kind, self.header, self.separator) = (kind, header, separator)
    self.options = options
    let names = header.map(Self.key)
    func index(_ words: [String]) -> Int? {
      words.lazy.compactMap { names.firstIndex(of: $0) }.first
    }
    guard columns.isEmpty else {
      asking = try columns.map { (name) throws(Refusal) in
        guard let column = names.firstIndex(of: Self.key(name)) else {
          throw Self.unusable("there is no column '\(name)'", header)
        }
        return column
      }
      guard kind == .geocode || asking.count <= 2 else {
        throw Self.unusable("a place is one column, or two: latitude and longitude", header)
      }
      return
    }
    switch kind {
    case .geocode:
      guard let text = index(Self.texts) ?? (header.count == 1 ? 0 : nil) else {
        throw Self.unusable("no column is called text or address: name it by --column", header)
      }
      asking = [text]
    case .reverse:
      if let latitude = index(Self.latitudes), let longitude = index(Self.longitudes) {
        asking = [latitude, longitude]
      } else if let pair = index(Self.pairs) ?? (header.count == 1 ? 0 : nil) {
        asking = [pair]
      } else {
        throw Self.unusable(
          "no columns are called latitude and longitude: name them by --column", header)
      }
    }
  }

  private static func key(_ name: String) -> String {
    name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
  }

  private static func unusable(_ what: String, _ header: [String]) -> Refusal {
    let names = header.prefix(20).map { $0.plain(atMost: 30) }.joined(separator: ", ")
    return Refusal(.invalidParameters, "\(what); the first line has: \(names)")
  }
}

// MARK: - Questions

extension BatchTable {
  package func question(of row: CSVReader.Row) -> Question {
    guard case .fields(let fields) = row else {
      return .failure(Refusal(.invalidParameters, "The line is too long."))
    }
    guard fields.count <= header.count else {
      return .failure(
        Refusal(.invalidParameters, "The line has more fields than the first one: is one quoted?"))
    }
    let words = asking.map { fields.indices.contains($0) ? fields[$0] : "" }
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    switch kind {
    case .geocode: return text(words.filter { !$0.isEmpty }.joined(separator: ", "))
    case .reverse: return place(words)
    }
  }

  private func text(_ text: String) -> Question {
    guard !text.isEmpty, text.utf8.count <= PlaceRequest.longestText else {
      let bytes = "1 to \(PlaceRequest.longestText) bytes"
      return .failure(Refusal(.invalidParameters, "A place has \(bytes) of text."))
    }
    var request = GeocodeRequest(text)
    request.options = options
    return .success(.geocode(request))
  }

  private func place(_ words: [String]) -> Question {
    let numbers = words.compactMap(Double.init)
    let place =
      numbers.count == 2
      ? Coordinate(latitude: numbers[0], longitude: numbers[1])
      : PlaceText.coordinate(in: words.joined(separator: ","))
    guard let place, place.isValid else {
      return .failure(Refusal(.invalidParameters, "Latitude and longitude are missing or wrong."))
    }
    var request = ReverseRequest(place)
    request.options = options
    return .success(.reverseGeocode(request))
  }
}

// MARK: - Answers

extension BatchTable {
  private struct Column: Sendable {
    var name: String
    var isNumber = false
    var text: @Sendable (Placemark) -> String?
  }

  private static let place: [Column] = [
    Column(name: "latitude", isNumber: true) { number($0.coordinate.latitude, 1e7) },
    Column(name: "longitude", isNumber: true) { number($0.coordinate.longitude, 1e7) },
    Column(name: "precision") { $0.precision?.rawValue },
    Column(name: "radius", isNumber: true) { $0.radius.map { number($0, 1) } },
  ]

  private static let names: [Column] = [
    Column(name: "name", text: \.name), Column(name: "address", text: \.formattedAddress),
    Column(name: "street", text: \.thoroughfare), Column(name: "number", text: \.subThoroughfare),
    Column(name: "district", text: \.subLocality), Column(name: "city", text: \.locality),
    Column(name: "county", text: \.subAdministrativeArea),
    Column(name: "state", text: \.administrativeArea),
    Column(name: "postcode", text: \.postalCode), Column(name: "country", text: \.isoCountryCode),
  ]

  private static let rest: [Column] = [
    Column(name: "kind", text: \.category), Column(name: "timezone", text: \.timeZone),
    Column(name: "source", text: \.source),
  ]

  private var columns: [Column] {
    (kind == .geocode ? Self.place : []) + Self.names + Self.rest
  }

  private static func number(_ value: Double, _ parts: Double) -> String {
    let rounded = (value * parts).rounded() / parts
    return parts == 1 ? Int64(exactly: rounded).map(String.init) ?? "" : JSON.number(rounded).text
  }

  /// A name that the table has already is `found_…`.
  package var headerLine: String {
    let known = Set(header.map(Self.key))
    let own = (columns.map(\.name) + ["error"]).map { known.contains($0) ? "found_" + $0 : $0 }
    return line(header, own)
  }

  /// The row as it came, and its answer.
  package func line(_ row: CSVReader.Row, _ answer: Result<Placemark, Refusal>) -> String {
    let fields =
      switch row {
      case .fields(let fields), .tooLong(let fields): fields
      }
    // Short rows are filled up, and fields that are too many are left out: the columns stay where they are.
    let own = header.indices.map { fields.indices.contains($0) ? fields[$0] : "" }
    switch answer {
    case .success(let place):
      let found = columns.map { column in
        column.text(place).map { column.isNumber ? $0 : CSV.harmless($0) } ?? ""
      }
      return line(own, found + [place.isPartial ? "not all of it is known" : ""])
    case .failure(let refusal):
      let none = columns.map { _ in "" }
      return line(own, none + [CSV.harmless(refusal.message)])
    }
  }

  private func line(_ first: [String], _ second: [String]) -> String {
    let mark = String(decoding: [separator], as: UTF8.self)
    return (first + second).map { CSV.field($0, separator: separator) }.joined(separator: mark)
      + "\n"
  }
}
