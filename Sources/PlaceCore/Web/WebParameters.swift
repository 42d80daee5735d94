import LocationModel

/// The parameters of a web client's request, by their names; of several with one name the last counts.
package struct WebParameters: Sendable {
  private let lists: [String: [String]]
  /// The header `Accept-Language`.
  private let accepted: String?

  package static let most = 64
  package static let longest = 4096

  package init(
    _ pairs: [(name: String, value: String)], acceptLanguage: String? = nil
  ) throws(WebRefusal) {
    guard pairs.count <= Self.most else {
      throw WebRefusal("There are more than \(Self.most) parameters.")
    }
    guard
      pairs.allSatisfy({ $0.name.utf8.count <= 64 && $0.value.utf8.count <= Self.longest })
    else { throw WebRefusal("A parameter is longer than \(Self.longest) bytes.") }
    lists = Dictionary(grouping: pairs, by: \.name).mapValues { $0.map(\.value) }
    accepted = acceptLanguage.flatMap { $0.utf8.count <= 1024 ? $0 : nil }
  }

  subscript(name: String) -> String? { lists[name]?.last }

  var names: [String] { lists.keys.sorted() }

  /// All values of a name that may come several times.
  func all(_ name: String) -> [String] { (lists[name] ?? []).filter { !$0.isEmpty } }

  /// A text that is not empty.
  func text(_ name: String) -> String? { all(name).last }

  /// A question, which is not longer than those of other doors.
  func question(_ name: String) throws(WebRefusal) -> String? {
    guard let text = text(name) ?? self[name] else { return nil }
    guard text.utf8.count <= PlaceRequest.longestText else {
      throw WebRefusal("Parameter '\(name)' is longer than \(PlaceRequest.longestText) bytes.")
    }
    return text
  }

  func number(_ name: String) throws(WebRefusal) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw WebRefusal("Parameter '\(name)' must be a number.")
    }
    return number
  }

  func whole(_ name: String) throws(WebRefusal) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text) else {
      throw WebRefusal("Parameter '\(name)' must be a number.")
    }
    return number
  }

  /// Nominatim's: all but 0 is true.
  func truth(_ name: String, else usual: Bool = false) -> Bool {
    self[name].map { $0 != "0" } ?? usual
  }

  /// Words between commas.
  func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",").compactMap {
      let word = $0.drop { $0 == " " }.split(separator: " ").joined(separator: " ")
      return word.isEmpty ? nil : word
    }
  }

  /// West, south, east and north, from two corners: longitude and latitude of each. The errors are in Nominatim's words.
  func box(_ name: String) throws(WebRefusal) -> Box? {
    guard let text = text(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else {
      throw WebRefusal("Bounding box parameter needs 4 coordinates.")
    }
    let numbers = parts.compactMap { Double(String($0)) }.filter(\.isFinite)
    guard numbers.count == 4 else {
      throw WebRefusal("Bounding box parameter needs to be numbers.")
    }
    let box = Box(
      south: min(numbers[1], numbers[3]), west: min(numbers[0], numbers[2]),
      north: max(numbers[1], numbers[3]), east: max(numbers[0], numbers[2]))
    guard box.south < box.north, box.west < box.east, box.middle.isValid, box.north <= 90,
      box.south >= -90, box.west >= -360, box.east <= 360
    else { throw WebRefusal("Bounding box with invalid parameters.") }
    return box
  }

  /// The first language that the client reads: the parameter's, else the header's; nil for the place's own.
  func language(_ name: String) -> String? {
    guard let wanted = text(name) ?? accepted else { return nil }
    let ranges = wanted.split(separator: ",").compactMap {
      range -> (tag: String, weight: Double)? in
      let parts = range.split(separator: ";")
      guard let tag = parts.first?.filter({ $0 != " " }), Language(tag) != nil else { return nil }
      let weight =
        parts.dropFirst().lazy.compactMap { part -> Double? in
          let pair = part.filter { $0 != " " }.split(separator: "=")
          return pair.count == 2 && pair[0] == "q" ? Double(String(pair[1])) : nil
        }.first ?? 1
      return (0...1).contains(weight) ? (tag, weight) : nil
    }
    let best = ranges.map(\.weight).max() ?? 0
    return best > 0 ? ranges.first { $0.weight == best }?.tag : nil
  }
}

/// The error of a request.
package struct WebRefusal: Error, Equatable, CustomStringConvertible {
  package var message: String
  /// HTTP's number for it.
  package var status: Int
  /// OSRM's word for it.
  var code: String

  package init(_ message: String, status: Int = 400, code: String = "InvalidQuery") {
    (self.message, self.status, self.code) = (message, status, code)
  }

  init(_ refusal: Refusal) {
    switch refusal.code {
    case .placemarkNotFound: self.init(refusal.message, code: "NoSegment")
    case .directionsNotFound: self = .noRoute
    case .invalidParameters: self.init(refusal.message, code: "InvalidOptions")
    case .network, .limitExceeded: self.init(refusal.message, status: 429, code: "Busy")
    default: self.init(refusal.message, status: 503, code: "Unavailable")
    }
  }

  package var description: String { message }

  static let url = WebRefusal("URL string malformed", code: "InvalidUrl")
  static let query = WebRefusal("Query string malformed")
  static func noSegment(_ number: Int) -> WebRefusal {
    WebRefusal(
      "Could not find a matching segment for coordinate \(number)", code: "NoSegment")
  }

  static let noRoute = WebRefusal("Impossible route between points", code: "NoRoute")
}

extension Box {
  var middle: Coordinate {
    Coordinate(latitude: (south + north) / 2, longitude: (west + east) / 2)
  }

  func holds(_ place: Coordinate) -> Bool {
    (south...north).contains(place.latitude) && (west...east).contains(place.longitude)
  }
}
