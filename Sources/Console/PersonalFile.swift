internal import Glibc

/// A person's own configuration files.
package enum PersonalFile {
  /// ~/.config/locationd/NAME; nil where no home is known.
  package static func path(_ name: String) -> String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let folder = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { $0 + "/.config" }
    return folder.map { "\($0)/locationd/\(name)" }
  }
}
