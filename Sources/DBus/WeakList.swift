/// Objects that are told of what happens as long as others hold them.
struct WeakList<Object: AnyObject> {
  private struct Entry {
    weak var object: Object?
  }
  private var entries: [Entry] = []

  var all: [Object] { entries.compactMap(\.object) }

  mutating func add(_ object: Object) {
    entries.removeAll { $0.object == nil }
    entries.append(Entry(object: object))
  }
}
