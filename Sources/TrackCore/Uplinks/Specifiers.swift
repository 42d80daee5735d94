package import LocationModel

/// The marks in a configuration that stand for what differs from board to board, as systemd's.
package struct Specifiers: Sendable {
  /// `%m`: the machine's number for this program; nil where the machine has none.
  package var machine: String?
  /// `%H`: the machine's name.
  package var host: String
  /// `%i`: the instance of the unit that the program runs in; nil where that is no instance.
  package var instance: String?
  /// `%d`: the folder of credentials.
  package var credentials: String

  package init(machine: String?, host: String, instance: String?, credentials: String) {
    (self.machine, self.host, self.instance) = (machine, host, instance)
    self.credentials = credentials
  }

  /// `van` of `locationd-tracker@van.service`.
  package static func instance(of unit: String) -> String? {
    guard let at = unit.firstIndex(of: "@"), let dot = unit.lastIndex(of: "."), at < dot else {
      return nil
    }
    let name = unit[unit.index(after: at)..<dot]
    return name.isEmpty ? nil : String(name)
  }

  /// `isFile`: the text is a path, and `%d` stands for a folder; elsewhere it may be part of a byte in an address.
  package func expand(_ text: String, isFile: Bool = false) throws(Unusable) -> String {
    var expanded = ""
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
      expanded += rest[..<percent]
      rest = rest[percent...].dropFirst()
      switch rest.first {
      case "m":
        guard let machine else { throw Unusable(what: "%m: this machine has no /etc/machine-id") }
        expanded += machine
      case "H":
        guard host.allSatisfy(Self.isPlain) else {
          throw Unusable(what: "%H: this machine's name has more than letters, digits, . _ and -")
        }
        expanded += host
      case "i":
        guard let instance, instance.allSatisfy(Self.isPlain) else {
          throw Unusable(
            what: "%i: the tracker runs in no unit NAME@INSTANCE.service of a plain INSTANCE")
        }
        expanded += instance
      case "d" where isFile: expanded += credentials
      default:
        expanded += "%"
        continue
      }
      rest = rest.dropFirst()
    }
    return expanded + rest
  }

  /// Nothing in it means something in a topic or an address.
  private static func isPlain(_ letter: Character) -> Bool {
    letter.isASCII && (letter.isLetter || letter.isNumber || "._-".contains(letter))
  }
}
