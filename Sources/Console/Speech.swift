/// A sentence for a person, as English has it: "Let \(app) know your location?"
package struct Phrase: ExpressibleByStringInterpolation, Sendable {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var english = ""
    fileprivate var values: [String] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { english += literal }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      values.append(value.description)
      english += "{\(values.count)}"
    }
  }

  /// With {1} and {2} for what is put in.
  fileprivate let english: String
  fileprivate let values: [String]

  package init(stringLiteral english: String) { (self.english, values) = (english, []) }

  package init(stringInterpolation parts: StringInterpolation) {
    (english, values) = (parts.english, parts.values)
  }
}

/// The language in which a person is spoken to.
package struct Speech: Equatable, Sendable {
  private let sentences: [String: String]
  /// Longer patterns match first.
  private let patterns: [Pattern]

  package static let english = Speech(nil)

  /// `locale`: as ko_KR; English where it is nil, or a language that phrases.txt has not.
  package init(_ locale: String?) {
    let language = locale?.prefix { $0 != "_" && $0 != "-" }.lowercased()
    let marked = language.map { Phrases(Phrases.own).sentences(in: $0) } ?? [:]
    sentences = Dictionary(marked.map { ($0.replacing("+}", with: "}"), $1) }) { first, _ in first }
    patterns = marked.map { Pattern(english: $0, sentence: $1) }
      .sorted { $0.length > $1.length }
  }

  package func callAsFunction(_ phrase: Phrase) -> String {
    Self.filled(sentences[phrase.english] ?? phrase.english, phrase.values)
  }

  /// `one` where the count is 1, else `many`.
  package func callAsFunction(_ count: Int, one: Phrase, many: Phrase) -> String {
    self(count == 1 ? one : many)
  }

  /// A sentence that another program has said in English. A name that is put in stays as it is, though it is a word of
  /// the table.
  package func callAsFunction(said message: String) -> String {
    for pattern in patterns {
      guard let values = pattern.values(in: message) else { continue }
      return Self.filled(
        pattern.sentence, zip(values, pattern.isSaid).map { $1 ? self(reasons: $0) : $0 })
    }
    return message
  }

  /// Such sentences in a row, each perhaps behind what it is of, or before what the system says:
  /// `gpsd: it hung up; /dev/ttyUSB0: Permission denied`.
  package func callAsFunction(reasons text: String) -> String {
    let all = self(said: text)
    guard all == text else { return all }
    return text.split(separator: "; ", omittingEmptySubsequences: false).map { reason in
      let whole = self(said: String(reason))
      guard whole == reason, let mark = reason.firstRange(of: ": ") else { return whole }
      let (name, rest) = (reason[..<mark.lowerBound], reason[mark.upperBound...])
      return self(said: String(name)) + ": " + self(said: String(rest))
    }.joined(separator: "; ")
  }

  /// Each {1} is put in once: what is put in may hold another.
  private static func filled(_ sentence: String, _ values: [String]) -> String {
    let parts = sentence.split(separator: "{", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      guard let end = part.firstIndex(of: "}"), let number = Int(part[..<end]),
        values.indices.contains(number - 1)
      else {
        text += "{" + part
        return
      }
      text += values[number - 1] + part[part.index(after: end)...]
    }
  }
}

/// An English sentence as it is known again, whatever was put in.
private struct Pattern: Equatable {
  let sentence: String
  let length: Int
  /// The texts around what is put in.
  private let literals: [Substring]
  /// The values that may be of the table, too.
  let isSaid: [Bool]
  /// With fewer letters of its own a sentence would be found in others.
  private static let fewest = 12

  init(english: String, sentence: String) {
    self.sentence = sentence
    length = english.utf8.count
    literals = english.split(separator: /{\d\+?}/, omittingEmptySubsequences: false)
    isSaid = english.matches(of: /{\d\+?}/).map { $0.output.hasSuffix("+}") }
  }

  /// The texts that stand for {1} and {2}; nil where the message is another one.
  func values(in message: String) -> [String]? {
    guard let first = literals.first, let last = literals.last, message.hasPrefix(first) else {
      return nil
    }
    guard literals.count > 1 else { return message == first ? [] : nil }
    guard literals.reduce(0, { $0 + $1.count }) >= Self.fewest else { return nil }
    var rest = message.dropFirst(first.count)
    var values: [String] = []
    for literal in literals.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: literal) else { return nil }
      values.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    guard rest.hasSuffix(last) else { return nil }
    return values + [String(rest.dropLast(last.count))]
  }
}

/// phrases.txt: an English sentence, with {1+} where what is put in may be of the table, then a line for each language
/// that has it, and an empty line. The pages of locationd-map have another of the same form.
package struct Phrases: Sendable {
  package let all: [(english: String, others: [String: String])]

  package static var own: String { String(decoding: PackageResources.phrases_txt, as: UTF8.self) }

  package init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    all = lines.split { $0.isEmpty || $0.hasPrefix("#") }.compactMap { paragraph in
      guard let english = paragraph.first else { return nil }
      let others = paragraph.dropFirst().map { ($0.prefix(2), $0.dropFirst(4)) }
      return (
        String(english), Dictionary(others.map { (String($0), String($1)) }) { first, _ in first }
      )
    }
  }

  /// By the English ones.
  package func sentences(in language: String) -> [String: String] {
    all.reduce(into: [:]) { $0[$1.english] = $1.others[language] }
  }
}
