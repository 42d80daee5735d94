import LocationCore
import Platform

/// The configured sources. Each keeps its number as long as it is configured, and no number is given
/// twice, so that nothing late is taken for another's.
struct SourceRegistry {
  private struct Entry {
    var id: SourceID
    var url: SourceURL
    var source: any Source
  }

  private var entries: [Entry] = []
  /// No longer configured, but still to be closed.
  private var leaving: [Entry] = []
  private var lastNumber = -1

  subscript(id: SourceID) -> (any Source)? {
    (entries.first { $0.id == id } ?? leaving.first { $0.id == id })?.source
  }

  func name(of id: SourceID) -> String {
    (entries + leaving).first { $0.id == id }?.url.name ?? "a source that has gone"
  }

  func kind(of id: SourceID) -> SourceKind? { entries.first { $0.id == id }?.url.kind }

  /// In the order of the configuration.
  var sources: [any Source] { entries.map(\.source) }

  /// By their names, in the same order.
  var named: [(name: String, source: any Source)] { entries.map { ($0.url.name, $0.source) } }

  /// A source may say a place.
  var maySayPlaces: Bool { entries.contains { $0.url.kind.givesFixes } }

  var descriptions: [SourceDescription] {
    entries.map {
      SourceDescription(
        $0.id, name: $0.url.name, simulated: $0.url.isSimulated, mayRest: $0.url.mayRest,
        kind: $0.url.kind)
    }
  }

  /// Changes nothing where one cannot be made. Those that leave are here until `removeLeaving`.
  mutating func change(
    to urls: [SourceURL], _ make: (SourceURL, SourceID) throws(SystemError) -> any Source
  ) throws(SystemError) {
    var before = entries
    var after: [Entry] = []
    for url in urls {
      if let staying = before.firstIndex(where: { $0.url == url }) {
        after.append(before.remove(at: staying))
      } else {
        lastNumber += 1
        let id = SourceID(lastNumber)
        after.append(Entry(id: id, url: url, source: try make(url, id)))
      }
    }
    entries = after
    leaving = before
  }

  mutating func removeLeaving() { leaving = [] }
}
