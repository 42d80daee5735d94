import Geodesy
import LocationModel
import PlaceStore
import Platform

/// A line of the file of questions: what is asked, and what its answer has to be.
struct PlaceQuestion {
  let group: String
  let text: String
  private let locale: String
  /// Nil where the place is the question, or where there is no answer.
  private let place: Coordinate?
  private let metres: Double
  private let precision: String
  private let word: String
  private let hasAnswer: Bool

  static func all(_ path: String) throws -> [PlaceQuestion] {
    let text = String(decoding: try File.bytes(of: path, atMost: 1 << 20), as: UTF8.self)
    return text.split(separator: "\n").compactMap { $0.hasPrefix("#") ? nil : PlaceQuestion($0) }
  }

  private init?(_ line: Substring) {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 7 else { return nil }
    (group, locale, text) = (fields[0], fields[1], fields[2])
    place = Self.coordinate(fields[3])
    hasAnswer = fields[3] != "-"
    metres = (Double(fields[4]) ?? 0) * 1000
    (precision, word) = (fields[5], fields[6])
  }

  private static func coordinate(_ text: String) -> Coordinate? {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
  }

  /// `other`: in another language than the question's.
  func first(_ atlas: Atlas, in other: String? = nil) -> Placemark? {
    let locale = other ?? locale
    if text.hasPrefix("@") {
      guard let place = Self.coordinate(String(text.dropFirst())) else { return nil }
      var request = ReverseRequest(place)
      request.locale = locale
      return try? atlas.reverse(request).first
    }
    var request = GeocodeRequest(text)
    request.locale = locale
    return try? atlas.geocode(request).first
  }

  /// The mistake of the first answer; nil where it is right.
  func fault(_ atlas: Atlas) -> String? {
    guard let mark = first(atlas) else { return hasAnswer ? "no answer" : nil }
    let name = "\(mark.name ?? "-"), \(mark.formattedAddress ?? "-")"
    guard hasAnswer else { return "\(name) is an answer" }
    if let place, place.distance(to: mark.coordinate) > metres {
      return "\(name) is \(Int(place.distance(to: mark.coordinate) / 1000)) km off"
    }
    if !precision.isEmpty, mark.precision?.rawValue != precision {
      return "\(name) is a \(mark.precision?.rawValue ?? "-")"
    }
    guard (mark.radius ?? 0) > 0 else { return "\(name) has no radius" }
    return word.isEmpty || mark.json.text.contains(word) ? nil : "\(name) is not \(word)"
  }
}
