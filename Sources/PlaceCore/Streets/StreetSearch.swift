internal import Geodesy
package import LocationModel

/// A text that may be the name of a street, an address or a place of an extract: the questions for rows, and what the
/// rows are worth.
package struct StreetSearch: Sendable {
  package struct Hit: Equatable, Sendable {
    package var placemark: Placemark
    /// 1 where each word is the name's or the address's, and it is near.
    package var score: Double
    /// The question has each word of its name, and its number.
    package var isWhole = false
    /// Its name has each word of the question, too.
    package var isExact = false
  }

  package let words: [String]
  package let near: Coordinate?
  package let category: String?
  package let limit: Int
  private let locale: String?
  private let isTyped: Bool

  /// Metres around `near` beyond which nothing is wanted.
  package let radius: Double?

  private static let mostWords = 12

  /// `isTyped`: the last word may be the beginning of one. `category`: only such. Without words: the nearest.
  package init(
    _ text: String, locale: String?, near: Coordinate?, category: String? = nil,
    radius: Double? = nil, isTyped: Bool = false, limit: Int
  ) {
    self.radius = radius
    words = Array(Folding.tokens(text).prefix(Self.mostWords))
    (self.near, self.category, self.limit) = (near, category, limit)
    (self.locale, self.isTyped) = (locale, isTyped)
  }
}

// MARK: - Questions

extension StreetSearch {
  /// The kind of place that the words ask for: the nearest of it come first.
  package var kind: String? {
    guard let kind = CategoryWords.category(of: words), category == nil || category == kind else {
      return nil
    }
    return kind
  }

  /// Words that are asked for, and what an answer to them is worth.
  package struct Attempt: Equatable, Sendable {
    package var words: [String]
    var weight: Double
    /// The number that was asked for is not known: a house stands for its street.
    var isWithoutNumber = false
    private(set) var isCorrected = false

    /// With some of the words corrected.
    package func corrected(_ words: [String]) -> Attempt {
      var attempt = self
      attempt.words = words
      attempt.isCorrected = true
      attempt.weight = weight * StreetSearch.corrected
      return attempt
    }
  }

  // Behind what is called so. Each is asked only where those before it found nothing: the weights tell the answers of
  // several extracts apart.
  private static let withoutNumber = 0.8
  private static let corrected = 0.7

  /// As it is written; else with the number in one word, as maps have 4bis and 5b; else the street without it.
  package var attempts: [Attempt] {
    let joined = Self.joined(words)
    let names = joined.filter { !Self.hasDigit($0) }
    let isAddress = names.count < joined.count
    var attempts = [Attempt(words: words, weight: 1)]
    if joined != words { attempts.append(Attempt(words: joined, weight: 1)) }
    if isAddress, !names.isEmpty {
      attempts.append(Attempt(words: names, weight: Self.withoutNumber, isWithoutNumber: true))
    }
    return attempts
  }

  private static func hasDigit(_ word: String) -> Bool {
    word.utf8.contains { (0x30...0x39).contains($0) }
  }

  private static let numberEnds: Set = ["bis", "ter", "quater"]

  /// The words, a number and what tells it from its neighbours as one.
  private static func joined(_ words: [String]) -> [String] {
    words.reduce(into: []) { joined, word in
      let isEnd = numberEnds.contains(word) || "a"..."z" ~= word && word.utf8.count == 1
      if isEnd, let number = joined.last, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        joined[joined.count - 1] = number + word
      } else {
        joined.append(word)
      }
    }
  }

  /// In FTS5's words.
  package func question(for attempt: Attempt) -> String {
    attempt.words.enumerated().map { i, word in
      Term(word).question(isBegun: isTyped && i == attempt.words.count - 1)
    }.joined(separator: " AND ")
  }
}

// MARK: - Ranking

extension StreetSearch {
  /// The nearest of the rows, within so many metres of the person.
  package func nearest(of rows: [ThingRow], within circle: Double, source: String) -> [Hit] {
    guard let near else { return [] }
    let plane = LocalPlane(around: near)
    let found = rows.map { (metres: plane.distance(to: $0.coordinate), thing: $0) }
      .filter { $0.metres <= circle }
    return found.sorted { $0.metres < $1.metres }.prefix(limit).map { metres, thing in
      // The nearest are better than what only has the word in its name.
      Hit(
        placemark: thing.placemark(locale, source: source),
        score: 1 + 1 / (1 + metres / Self.half), isWhole: true, isExact: true)
    }
  }

  /// What is far is worth so much of what is here: a name that is met in full is better than a half of one next door.
  private static let far = 0.6
  /// Metres at which half of the rest is left.
  private static let half = 1000.0

  package func hits(in rows: [ThingRow], for attempt: Attempt, source: String) -> [Hit] {
    let terms = attempt.words.map(Term.init)
    let plane = near.map { LocalPlane(around: $0) }
    var found = rows.map { thing in
      let names = ([thing.title(locale)].compactMap(\.self) + thing.allNames).map(Folding.tokens)
      var score = names.map { Term.score(terms, $0, isTyped: isTyped) }.max() ?? 0
      if let metres = plane?.distance(to: thing.coordinate) {
        score *= Self.far + (1 - Self.far) / (1 + metres / Self.half)
      }
      let asked = names.filter { Term.areAsked(terms, $0) }
      return Found(
        score: score, thing: thing, isNamed: !asked.isEmpty,
        isExact: asked.contains { Term.areMet(terms, by: $0) })
    }
    // 1010 Wien is not the bus stop Bien Située: a corrected word and no number say too little of a longer name.
    if attempt.isCorrected, attempt.isWithoutNumber { found.removeAll { !$0.isNamed } }
    found.sort { ($0.score, $1.thing.number) > ($1.score, $0.thing.number) }
    return distinct(found, source, asStreets: attempt.isWithoutNumber).map { hit in
      var hit = hit
      hit.score *= attempt.weight
      hit.isWhole = hit.isWhole && !attempt.isWithoutNumber
      hit.isExact = hit.isExact && !attempt.isWithoutNumber
      return hit
    }
  }

  /// Metres between two of one name that are one: the ways of a street, a stop on both sides of it.
  private static let sameStreet = 1000.0
  private static let sameSpot = 300.0

  private struct Found {
    var score: Double
    var thing: ThingRow
    var isNamed: Bool
    var isExact: Bool
  }

  /// A thing may be there twice: as a spot and as a building.
  private func distinct(_ found: [Found], _ source: String, asStreets: Bool) -> [Hit] {
    var chosen: [Hit] = []
    let streets = asStreets ? found.map(\.thing).filter { $0.kind == .street } : []
    for one in found where chosen.count < limit {
      let thing = one.thing
      var placemark = thing.placemark(locale, source: source)
      // A place that was found by its address stands for its street, too.
      if asStreets, thing.kind != .named || !one.isNamed, placemark.thoroughfare != nil {
        // The street itself has its name in the reader's language, too.
        placemark.nameStreet(by: streets, locale)
        placemark = placemark.asStreet
      }
      let isKnown = chosen.contains {
        $0.placemark.name == placemark.name && $0.placemark.category == placemark.category
          && ($0.placemark.subThoroughfare ?? "") == (placemark.subThoroughfare ?? "")
          && LocalPlane(around: $0.placemark.coordinate).distance(to: placemark.coordinate)
            < (thing.kind == .street || asStreets ? Self.sameStreet : Self.sameSpot)
      }
      if !isKnown {
        chosen.append(
          Hit(
            placemark: placemark, score: one.score, isWhole: one.isNamed, isExact: one.isExact))
      }
    }
    return chosen
  }

  /// The nearest of the kind that was asked for, then what is called so.
  package func joined(_ nearest: [Hit], _ named: [Hit]) -> [Hit] {
    let known = Set(nearest.map(\.placemark.id))
    return Array((nearest + named.filter { !known.contains($0.placemark.id) }).prefix(limit))
  }
}

extension Placemark {
  /// The street of a house, or of a shop: never another number than the one that was asked for.
  fileprivate var asStreet: Placemark {
    var mark = self
    (mark.subThoroughfare, mark.postalCode, mark.category) = (nil, nil, nil)
    // OpenStreetMap's number is that of the house, unless a street was found.
    if precision != .street {
      (mark.osmType, mark.osmNumber, mark.osmTag, mark.osmNames) = (nil, nil, nil, [:])
    }
    mark.osmFurther = [:]
    mark.name = thoroughfare
    mark.precision = .street
    mark.isPartial = true
    return mark
  }
}

/// A word that is asked for, and what it may stand for.
private struct Term {
  private let forms: [String]

  init(_ word: String) { forms = [word] + Abbreviations.meanings(of: word) }

  /// Folded words hold no quotes.
  func question(isBegun: Bool) -> String {
    "(" + forms.map { "\"\($0)\"" + (isBegun ? " *" : "") }.joined(separator: " OR ") + ")"
  }

  private func isMet(by word: String, isBegun: Bool) -> Bool {
    forms.contains { $0 == word || isBegun && word.hasPrefix($0) }
  }

  /// True where each word of the name is asked for.
  static func areAsked(_ terms: [Term], _ name: [String]) -> Bool {
    !name.isEmpty
      && name.allSatisfy { word in terms.contains { $0.isMet(by: word, isBegun: false) } }
  }

  /// True where the name has each word that is asked for.
  static func areMet(_ terms: [Term], by name: [String]) -> Bool {
    terms.allSatisfy { term in name.contains { term.isMet(by: $0, isBegun: false) } }
  }

  /// The share of the name that was asked for counts more than the share of the question that the name has.
  private static let nameShare = 0.6

  /// Nothing of the name that was not asked for is best: the street itself before what lies in it.
  static func score(_ terms: [Term], _ name: [String], isTyped: Bool) -> Double {
    guard !name.isEmpty, !terms.isEmpty else { return 0 }
    let last = terms.count - 1
    let ownMet = name.count { word in
      terms.indices.contains { terms[$0].isMet(by: word, isBegun: isTyped && $0 == last) }
    }
    let met = terms.indices.count { i in
      name.contains { terms[i].isMet(by: $0, isBegun: isTyped && i == last) }
    }
    return nameShare * Double(ownMet) / Double(name.count)
      + (1 - nameShare) * Double(met) / Double(terms.count)
  }
}
