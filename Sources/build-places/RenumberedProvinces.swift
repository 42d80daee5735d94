/// Countries that gave their provinces' numbers to other provinces after the lists of names were made: Vietnam's 01
/// was An Giang, and is Hanoi.
enum RenumberedProvinces {
  /// A town that the older list has, too: the codes of its province then and now.
  struct Town {
    let country: String
    let then: String
    let now: String
  }

  /// Fewer towns, or a smaller part of them, may have come to a neighbour: all of Vietnam's 48 have another code, 5 of
  /// Bahrain's 8, one of one in two countries, and less than a third elsewhere.
  private static let leastTowns = 10
  private static let leastShare = 0.8

  /// The countries where most towns have another code than before. `known`: the codes that the lists have. A code that
  /// is new to them has no wrong name.
  static func countries(of towns: [Town], known: Set<String>) -> Set<String> {
    let named = towns.filter { known.contains($0.country + "." + $0.now) }
    let countries = Dictionary(grouping: named, by: \.country)
    return Set(
      countries.filter { _, towns in
        let changed = towns.count { $0.then != $0.now }
        return towns.count >= leastTowns && Double(changed) >= leastShare * Double(towns.count)
      }.keys)
  }
}
