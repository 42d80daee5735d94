package import LocationModel
internal import PlaceCore
internal import Platform

/// All places that this disk knows: the world, and the extracts that were imported.
package final class Atlas {
  package private(set) var dataSets: [DataSet] = []
  private let folders: [String]
  private var world: World?
  private var identity: PathIdentity?

  package init(folders: [String]) {
    self.folders = folders
    refresh()
  }

  /// Opens files that have come, and lets go of those that are gone. The first folder that has the world counts.
  package func refresh() {
    let path = folders.map { $0 + "/world.sqlite" }.first(where: File.isThere)
    let found = path.flatMap(PathIdentity.init)
    guard found != identity || (found == nil) != (world == nil) else { return }
    identity = found
    world = nil
    dataSets = []
    guard let path else { return }
    do throws(DatabaseError) {
      let opened = try World(path: path)
      world = opened
      dataSets = [opened.dataSet]
    } catch {
      dataSets = [
        DataSet(
          name: "world", date: "", licence: "", attribution: "", places: 0,
          trouble: "\(path): \(error)")
      ]
    }
  }

  package func geocode(_ request: GeocodeRequest) throws(Refusal) -> [Placemark] {
    let language = World.language(request.locale, for: request.text)
    return try answer { (world) throws(DatabaseError) in
      if let said = try world.placemark(saidIn: request.text, near: request.near, in: language) {
        return [said]
      }
      // As it is written; else with its last word begun.
      for isPrefix in [false, true] {
        let hits = try world.hits(
          for: request.text, near: request.near, country: request.country, isPrefix: isPrefix,
          limit: request.limit)
        if !hits.isEmpty { return try world.placemarks(of: hits, in: language) }
      }
      return []
    }
  }

  package func reverse(_ request: ReverseRequest) throws(Refusal) -> [Placemark] {
    try answer { (world) throws(DatabaseError) in
      [try world.reverse(request.coordinate, in: request.locale.flatMap(Language.init)?.code)]
    }
  }

  /// Nothing that completes it is no error.
  package func complete(_ request: CompletionRequest) throws(Refusal) -> [Completion] {
    guard let world else { throw empty }
    do throws(DatabaseError) {
      if let said = try world.completion(of: request) { return [said] }
      return try world.complete(request)
    } catch { throw broken(error) }
  }

  package func search(_ request: SearchRequest) throws(Refusal) -> [Placemark] {
    try answer { (world) throws(DatabaseError) in
      switch request.query {
      case .id(let id):
        let language = World.language(request.locale, for: "")
        if let said = try world.placemark(saidIn: id, near: nil, in: language) { return [said] }
        return try world.placemarks(of: [try world.hit(id: id)].compactMap(\.self), in: language)
      case .text(let text):
        let language = World.language(request.locale, for: text)
        if let said = try world.placemark(saidIn: text, near: request.near, in: language) {
          return [said]
        }
        let hits = try world.hits(
          for: text, near: request.near, country: nil, isPrefix: true, limit: 50)
        let marks = try world.placemarks(of: hits, in: language).filter { mark in
          if let category = request.category, mark.category != category { return false }
          guard let near = request.near, let radius = request.radius else { return true }
          return World.kilometres(near, mark.coordinate) * 1000 <= radius
        }
        return Array(marks.prefix(request.limit))
      }
    }
  }

  private func answer(
    _ ask: (World) throws(DatabaseError) -> [Placemark]
  ) throws(Refusal) -> [Placemark] {
    guard let world else { throw empty }
    let marks: [Placemark]
    do throws(DatabaseError) { marks = try ask(world) } catch { throw broken(error) }
    guard !marks.isEmpty else {
      throw Refusal(.geocodeFoundNoResult, "There is no such place in the data of places.")
    }
    return marks
  }

  private func broken(_ error: DatabaseError) -> Refusal {
    Refusal(.failed, "The data of places cannot be read: \(error).")
  }

  private var empty: Refusal {
    Refusal(.failed, "There is no data of places in \(folders.joined(separator: ", ")).")
  }
}

extension World {
  func placemarks(of hits: [Hit], in language: String?) throws(DatabaseError) -> [Placemark] {
    var marks: [Placemark] = []
    for hit in hits { marks.append(try placemark(of: hit, in: language)) }
    return marks
  }
}
