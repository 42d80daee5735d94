internal import LocationModel
package import Platform

/// The configuration of a program, which is what holds without any file until files are applied.
package protocol Configurable {
  init()
  static var keys: [ConfigurationKey<Self>] { get }
  var logLevel: Log.Level { get }
  /// The mistake of a section with a NAME that lacks a key; nil where it is whole.
  func missing(in section: String, _ name: String) -> String?
  /// Reads what lies in other folders beside the files.
  mutating func readMore(beside files: ConfigurationFiles) -> [ConfigurationMistake]
  /// The files that the configuration names and the program could not use, for `--check` alone.
  func unusableFiles() -> [ConfigurationMistake]
}

/// Something wrong in a file; without a line it is the file itself.
package struct ConfigurationMistake: Equatable, CustomStringConvertible {
  package var file: String
  package var line: Int?
  package var what: String

  package init(file: String, line: Int? = nil, what: String) {
    self.file = file
    self.line = line
    self.what = what
  }

  package var description: String { line.map { "\(file):\($0): \(what)" } ?? "\(file): \(what)" }
}

extension Configurable {
  package func missing(in section: String, _ name: String) -> String? { nil }

  package func unusableFiles() -> [ConfigurationMistake] { [] }

  package mutating func readMore(beside files: ConfigurationFiles) -> [ConfigurationMistake] { [] }

  /// Takes over what a file says, as far as it is right, and tells all that is not.
  package mutating func apply(
    _ text: ConfigurationText, of file: String
  ) -> [ConfigurationMistake] {
    let keys = Self.keys
    var mistakes: [ConfigurationMistake] = []
    var section: ConfigurationSection<Self>?
    func add(_ line: Int, _ what: String) {
      mistakes.append(ConfigurationMistake(file: file, line: line, what: what))
    }
    func end() {
      guard let section, let word = section.word else { return }
      if let what = missing(in: word, section.name) { add(section.line, what) }
    }
    for line in text.lines {
      do throws(Unusable) {
        switch line.item {
        case .mistake(let what): throw Unusable(what: what)
        case .section(let title):
          end()
          section = ConfigurationSection(line: line.number)
          section = try ConfigurationSection(title, at: line.number, keys)
        case .assignment(let key, let text):
          guard let section else {
            throw Unusable(what: "'\(key.prefix(40))=' stands before any section")
          }
          try section.key(key)?.assign(text, section.name, &self)
        }
      } catch {
        add(line.number, error.what)
      }
    }
    end()
    return mistakes
  }
}

/// A section while it is read. One that is not known has no keys: one mistake is enough for it.
private struct ConfigurationSection<Configuration> {
  let line: Int
  private(set) var name = ""
  private var keys: [ConfigurationKey<Configuration>] = []

  var word: String? { keys.first?.section }

  init(line: Int) { self.line = line }

  init(_ title: String, at line: Int, _ all: [ConfigurationKey<Configuration>]) throws(Unusable) {
    self.line = line
    let words = title.split(separator: " ", maxSplits: 1).map(String.init)
    keys = all.filter { $0.section.isSameWord(as: words.first ?? "") }
    switch (keys.first?.isNamed, words.count) {
    case (true?, 2): name = words[1]
    case (true?, _):
      throw Unusable(
        what: "a section [\(title.prefix(40))] has a name: [\(title.prefix(40)) NAME]")
    case (false?, 1): break
    default: throw Unusable(what: "there is no section [\(title.prefix(40))]")
    }
    guard name.utf8.count <= 64 else {
      throw Unusable(what: "a name has at most 64 bytes: '\(name.prefix(40))…'")
    }
  }

  func key(_ name: String) throws(Unusable) -> ConfigurationKey<Configuration>? {
    guard let word else { return nil }
    if let key = keys.first(where: { $0.name.isSameWord(as: name) }) { return key }
    throw Unusable(what: "there is no key '\(name.prefix(40))' in [\(word)]")
  }
}

extension String {
  /// Sections and keys may be written large or small.
  fileprivate func isSameWord(as other: String) -> Bool { lowercased() == other.lowercased() }
}
