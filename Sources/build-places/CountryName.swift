/// The names that a catalogue and a map have of a country in a language.
enum CountryName {
  /// The name that is shown. The map's is the short one: it counts where the catalogue's is that and more before or behind
  /// it (フランス共和国, Principado de Mónaco), or the same without its hyphens (Royaume Uni).
  static func shown(_ catalogue: String, map: String) -> String {
    let isShort = catalogue.hasPrefix(map) || isEnd(map, of: catalogue)
    return isShort || hyphens(catalogue) == hyphens(map) ? map : catalogue
  }

  /// An end that begins a word.
  private static func isEnd(_ name: String, of long: String) -> Bool {
    guard long.hasSuffix(name), let before = long.dropLast(name.count).last else { return false }
    return !before.isLetter
  }

  private static func hyphens(_ name: String) -> String {
    String(name.map { $0 == " " ? "-" : $0 })
  }
}
