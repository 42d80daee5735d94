package import LocationModel
internal import PlaceCore
package import Platform

/// All places that this disk knows: the world, and the extracts that were imported.
package final class Atlas {
  private let folders: [String]
  private let limit: WorkLimit?
  /// Of each folder when it was looked at.
  private var looks: [PathIdentity?]
  private var worldFile: OpenedFile<World>?
  private(set) var postcodes: OpenedFile<Postcodes>?
  private var extracts: [String: OpenedFile<Extract>] = [:]

  /// `limit`: what a question may take.
  package init(folders: [String], limit: WorkLimit? = nil) {
    self.folders = folders
    self.limit = limit
    looks = []
    refresh()
  }

  package var dataSets: [DataSet] {
    let imported = extracts.sorted { $0.key < $1.key }.map { path, extract in
      let name = path.split(separator: "/").last?.dropLast(ExtractTables.suffix.count) ?? ""
      return extract.dataSet(named: String(name).plain(atMost: 64), at: path)
    }
    let own = [
      worldFile.map { $0.dataSet(named: "world", at: $0.path) },
      postcodes.map { $0.dataSet(named: "postcodes", at: nil) },
    ]
    return own.compactMap(\.self) + imported
  }

  private var world: World? { try? worldFile?.result.get() }

  /// Opens files that have come, and lets go of those that are gone. The first folder that has the world counts.
  package func refresh() {
    let looks = folders.map { PathIdentity(of: $0) }
    guard looks != self.looks else { return }
    self.looks = looks
    func first(_ name: String) -> String? {
      folders.map { "\($0)/\(name)" }.first(where: File.isThere)
    }
    worldFile = OpenedFile(first("world.sqlite"), worldFile, limit)
    postcodes = OpenedFile(first("postcodes.sqlite"), postcodes, limit)
    var found: [String: OpenedFile<Extract>] = [:]
    for folder in folders {
      for name in (try? File.names(in: folder)) ?? [] where name.hasSuffix(ExtractTables.suffix) {
        let path = "\(folder)/\(name)"
        found[path] = OpenedFile(path, extracts[path], limit)
      }
    }
    extracts = found
    world?.extracts = usable.filter { !$0.countries.isEmpty }
  }
}

// MARK: - Questions

extension Atlas {
  package func reverse(_ request: ReverseRequest) throws(Refusal) -> [Placemark] {
    try answer { (world) throws(DatabaseError) in
      let language = request.locale.flatMap(Language.init)?.code
      let mark = try world.reverse(request.coordinate, in: language)
      var best: Placemark?
      for extract in usable {
        guard let found = try extract.reverse(request.coordinate, locale: request.locale) else {
          continue
        }
        if found.detail > best?.detail ?? 0 { best = found }
      }
      guard let known = best else { return [mark] }
      return [try world.joined(known, with: mark, in: language)]
    }
  }

  /// The streets of all extracts in a box, to be drawn.
  package func streets(_ request: StreetsRequest) throws(Refusal) -> [StreetLine] {
    do throws(DatabaseError) {
      var lines: [StreetLine] = []
      for extract in usable where lines.count < Self.mostStreets {
        lines += try extract.streets(in: request, limit: Self.mostStreets - lines.count)
      }
      return lines
    } catch { throw broken(error) }
  }

  private static let mostStreets = 2000

  /// The features of all extracts in a tile: an extract's follow another's.
  package func features(_ request: TileRequest) -> [UInt8] {
    let tile = GroundTile(level: request.level, x: request.x, y: request.y)
    return usable.reduce(into: []) { $0 += $1.features(of: tile) }
  }
}

// MARK: - The world and its streets

extension Atlas {
  /// The extracts that can be read.
  var usable: [Extract] {
    extracts.sorted { $0.key < $1.key }.compactMap { try? $0.value.result.get() }
  }

  func postcodes(
    in text: String, _ world: World, near: Coordinate?, country: String? = nil, locale: String?,
    limit: Int
  ) throws(DatabaseError) -> [Placemark] {
    guard let postcodes = try postcodes?.result.get() else { return [] }
    return try world.placemarks(
      ofCodesIn: text, in: postcodes, near: near, country: country, locale: locale, limit: limit)
  }

  /// Places of extracts with their streets in the reader's language, and what lies around them.
  func joined(
    _ marks: some Sequence<Placemark>, in language: String?
  ) throws(DatabaseError) -> [Placemark] {
    guard let world else { return [] }
    var placemarks: [Placemark] = []
    for mark in marks {
      let extract = usable.first { $0.dataSet.name == mark.source }
      let named = try extract?.named(mark, in: language)
      placemarks.append(try world.joined(named ?? mark, in: language))
    }
    return placemarks
  }

  /// Streets, addresses and named places of all extracts, as these have them.
  func streetMatches(
    _ text: String, near: Coordinate?, _ language: String?, category: String? = nil,
    radius: Double? = nil, isTyped: Bool = false, limit: Int
  ) throws(DatabaseError) -> [Placemark] {
    let extracts = usable
    guard let world, !extracts.isEmpty else { return [] }
    let search = StreetSearch(
      text, locale: language, near: near, category: category, radius: radius, isTyped: isTyped,
      limit: limit)
    var hits: [StreetSearch.Hit] = []
    for extract in extracts { hits += try extract.hits(for: search) }
    // An answer with some of the words in its address alone may lie in another street, or be a house in the street
    // that is asked for: Mairie de Monaco, for Place de la Mairie, Monaco.
    // While it is typed, only a text that is an address is looked at again.
    let isWritten = !isTyped || TownSplits.isAddress(text)
    if hits.isEmpty || isWritten && !hits.contains(where: \.isExact) {
      let inTown = try matchesInTown(
        text, world, language, category: category, forgives: !isTyped, limit: limit)
      let isBetter = inTown.contains {
        $0.isExact || $0.isWhole && !hits.contains(where: \.isWhole)
      }
      if hits.isEmpty || isBetter { hits = inTown }
    }
    return JoinedAnswers.best(hits, limit: limit)
  }

  /// `31 Rue Grimaldi, Monaco` and `서울 중구 세종대로 110`: some of the words are a town, which the extract's
  /// own do not say.
  private func matchesInTown(
    _ text: String, _ world: World, _ language: String?, category: String?, forgives: Bool,
    limit: Int
  ) throws(DatabaseError) -> [StreetSearch.Hit] {
    let isWithin = try NameSearch.lastPart(of: text).map { (part) throws(DatabaseError) in
      try world.region(named: part) != nil
    }
    for (street, town) in TownSplits.of(text, isWithin: isWithin == true) {
      let towns = try world.towns(town, forgives: forgives, limit: Self.mostTowns)
      for town in try world.placemarks(of: towns.map(\.hit), in: language) {
        let search = StreetSearch(
          street, locale: language, near: town.coordinate, category: category, limit: limit)
        var hits: [StreetSearch.Hit] = []
        for extract in usable where extract.covers(town.coordinate) {
          hits += try extract.hits(for: search)
        }
        hits = JoinedAnswers.hits(hits, in: town)
        if !hits.isEmpty { return hits }
      }
    }
    return []
  }

  private static let mostTowns = 5

  /// Whether somebody is where an extract knows more than towns.
  func isCovered(_ near: Coordinate?) -> Bool {
    near.map { near in usable.contains { $0.covers(near) } } ?? false
  }

  func answer(
    _ ask: (World) throws(DatabaseError) -> [Placemark]
  ) throws(Refusal) -> [Placemark] {
    let placemarks = try found(ask)
    guard !placemarks.isEmpty else {
      throw Refusal(.geocodeFoundNoResult, "There is no such place in the data of places.")
    }
    return placemarks.map(\.measured)
  }

  /// Nothing found is no error.
  func found<Answer>(
    _ ask: (World) throws(DatabaseError) -> Answer
  ) throws(Refusal) -> Answer {
    guard let world else { throw empty }
    defer { world.endQuestion() }
    do throws(DatabaseError) { return try ask(world) } catch { throw broken(error) }
  }

  private func broken(_ error: DatabaseError) -> Refusal {
    if error == .interrupted {
      return Refusal(.failed, "The question took too long: ask for less at once.")
    }
    return Refusal(.failed, "The data of places cannot be read: \(error).")
  }

  private var empty: Refusal {
    Refusal(
      .failed,
      "There is no data of places in \(folders.joined(separator: ", ")): apt install locationd-places-data."
    )
  }
}
