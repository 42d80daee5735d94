import Console
import Geodesy
import Glibc
import LocationClient
import LocationModel
import PlaceCore

/// A place as somebody types it: coordinates, `here`, or words that are looked up.
struct PlaceFinder {
  var service: PlacesService
  var locale: String?
  var daemon: String
  var offline: Bool
  /// The first of several places is taken, and nobody is asked.
  var takesFirst = false

  /// `near`: another place of the same way, which tells towns of one name apart.
  func find(_ text: String, near: Coordinate?) throws(Failure) -> Coordinate {
    if let place = try coordinate(text) { return place }
    let choice = PlaceChoice(try candidates(text, near), of: text, near: near)
    if let best = choice.best ?? (takesFirst ? choice.equals.first : nil) { return best.coordinate }
    guard choice.equals.count > 1 else {
      throw Failure(.failed, "no place '\(text)' is known")
    }
    guard Terminal.isOutput, let terminal = Terminal.inForeground else {
      let names = choice.equals.map(PlaceReport.line).joined(separator: "; ")
      throw Failure(.usage, "'\(text)' may be each of these: \(names)")
    }
    defer { close(terminal) }
    return try choice.ask(text, on: terminal).coordinate
  }

  /// Nil for words.
  func coordinate(_ text: String) throws(Failure) -> Coordinate? {
    if text == "here" { return try Arguments.place(text, "a place", daemon: daemon) }
    return PlaceText.coordinate(in: text)
  }

  private func candidates(_ text: String, _ near: Coordinate?) throws(Failure) -> [Placemark] {
    var geocode = GeocodeRequest(text)
    (geocode.locale, geocode.near, geocode.offline) = (locale, near, offline)
    let found = try places(.geocode(geocode))
    if !found.isEmpty { return found }
    var search = SearchRequest(.text(text))
    (search.locale, search.near, search.offline) = (locale, near, offline)
    return try places(.search(search))
  }

  private func places(_ request: PlaceRequest) throws(Failure) -> [Placemark] {
    let answer = service.answer(to: request)
    if case .failure(.refused(let refusal)) = answer, refusal.code == .geocodeFoundNoResult {
      return []
    }
    return try service.get(answer).found
  }
}

/// Which of several places is meant.
struct PlaceChoice {
  /// The one that is clearly meant.
  private(set) var best: Placemark?
  /// Those that fit as well as the first.
  private(set) var equals: [Placemark] = []

  /// Nearer than this they are one place of several sources.
  private static let samePlace = 1000.0
  /// So many times nearer than all others is meant.
  private static let muchNearer = 10.0

  init(_ places: [Placemark], of text: String, near: Coordinate?) {
    guard let first = places.first else { return }
    let name = Self.folded(text)
    let isNamedSo = { (place: Placemark) in place.name.map(Self.folded) == name }
    for place in places where isNamedSo(place) == isNamedSo(first) {
      let isNew = equals.allSatisfy {
        $0.coordinate.distance(to: place.coordinate) > Self.samePlace
      }
      if isNew { equals.append(place) }
    }
    if equals.count == 1 { best = first }
    guard equals.count > 1, let near else { return }
    let sorted = equals.map { (place: $0, way: $0.coordinate.distance(to: near)) }
      .sorted { $0.way < $1.way }
    if sorted[0].way * Self.muchNearer < sorted[1].way { best = sorted[0].place }
  }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  /// Shows them with numbers until one is typed.
  func ask(_ text: String, on terminal: Int32) throws(Failure) -> Placemark {
    let rows = equals.enumerated().map { "  \($0 + 1)  \(PlaceReport.line($1))" }
    Output.write(["Which '\(text)'?"] + rows, to: terminal)
    while true {
      Output.write(["> "], to: terminal)
      guard let line = Terminal.readLine(from: terminal) else {
        throw Failure(.usage, "nobody has said which '\(text)' is meant")
      }
      if let number = Int(line.filter { !$0.isWhitespace }), equals.indices.contains(number - 1) {
        return equals[number - 1]
      }
      Output.write(["A number from 1 to \(equals.count), please; Ctrl-C ends."], to: terminal)
    }
  }
}
