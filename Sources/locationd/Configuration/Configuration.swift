import Console
import DBus
import LocationCore
import LocationModel
import Platform

/// The daemon's configuration, by files and flags together.
struct Configuration: Equatable {
  /// Nil where none is named: then it is the usual ones.
  var sources: [SourceURL]?
  /// How many seconds sources stay open after the last need.
  var linger = 5
  /// How many seconds receivers rest at most between fixes, and seek one.
  var longestPause = 300
  var search = 60
  var socket = "/run/locationd/locationd.sock"
  /// Nil is what the service manager says, or the system's own place; `none` is none.
  var state: String?
  /// Nil is logind where it is to be found, on the system bus; else connected.
  var useRule: UseRule?
  /// How many seconds an app may stay in use though nobody is there.
  var longestHold = 14_400
  /// The administrator's rules about apps.
  var policy = Policy()
  /// Nil for none.
  var bus: BusPlace? = .system
  /// Whether GeoClue's clients are served on the bus, too.
  var geoclue = false
  var logLevel = Log.Level.info
  var door = ConnectionLimits()
  var service = LocationService.Limits()

  var usedSources: [SourceURL] { sources ?? SourceURL.usual }

  var usedRule: UseRule { useRule ?? (bus == .system ? .logind : .connected) }

  /// Something wrong in a file; without a line it is the file itself.
  struct Mistake: Equatable, CustomStringConvertible {
    var file: String
    var line: Int?
    var what: String

    var description: String {
      line.map { "\(file):\($0): \(what)" } ?? "\(file): \(what)"
    }
  }

  /// Takes over what a file says, as far as it is right, and tells all that is not.
  mutating func apply(_ text: ConfigurationText, of file: String) -> [Mistake] {
    var mistakes: [Mistake] = []
    var section: String?
    var isKnown = false
    for line in text.lines {
      func mistake(_ what: String) {
        mistakes.append(Mistake(file: file, line: line.number, what: what))
      }
      switch line.item {
      case .mistake(let what): mistake(what)
      case .section(let name):
        section = name
        isKnown = ConfigurationKey.all.contains { $0.section.isSameWord(as: name) }
        if !isKnown { mistake("there is no section [\(name.prefix(40))]") }
      case .assignment(let key, let value):
        guard let section else {
          mistake("'\(key.prefix(40))=' stands before any section")
          continue
        }
        // One mistake is enough for a section that is not known.
        guard isKnown else { continue }
        do throws(Unusable) {
          try assign(key, in: section, value)
        } catch {
          mistake(error.what)
        }
      }
    }
    return mistakes
  }

  private mutating func assign(
    _ name: String, in section: String, _ value: String
  ) throws(Unusable) {
    let key = ConfigurationKey.all.first {
      $0.section.isSameWord(as: section) && $0.name.isSameWord(as: name)
    }
    guard let key else {
      throw Unusable(what: "there is no key '\(name.prefix(40))' in [\(section)]")
    }
    try key.set(value, &self)
  }
}

extension String {
  /// Sections and keys may be written large or small.
  fileprivate func isSameWord(as other: String) -> Bool { lowercased() == other.lowercased() }
}
