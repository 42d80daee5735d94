/// Objects that are told of what happens as long as others hold them.
struct WeakList<Object: AnyObject> {
  private struct Entry {
    weak var object: Object?
  }
  private var entries: [Entry] = []

  /// Each is looked for when its turn comes: one that another has let go of meanwhile is left out.
  var all: some Sequence<Object> { entries.lazy.compactMap(\.object) }

  mutating func add(_ object: Object) {
    entries.removeAll { $0.object == nil }
    entries.append(Entry(object: object))
  }
}
