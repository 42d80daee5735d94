import LocationModel

/// What the page is to know, in the order in which it was told: what was set last by each name, and the items
/// added to it since. A page that comes late, or reads slowly, is told the newest of it, whatever it missed.
struct PageRecord {
  private struct Entry {
    var number: UInt64
    var name: String
    var isItem: Bool
    /// JSON; nil where a newer one has taken its place.
    var value: [UInt8]?
  }

  private var entries: [Entry] = []
  private var last: UInt64 = 0
  private var items: [String: Int] = [:]
  private var dropped = 0
  /// Bytes of all that is kept.
  private(set) var held = 0

  /// Of more items by one name the older half is forgotten.
  static let mostItems = 200_000
  /// So many items go into one message.
  private static let mostTogether = 500
  private static let overhead = MemoryLayout<Entry>.stride + 48

  /// Takes the place of all that was told by that name.
  mutating func set(_ name: String, _ value: [UInt8]) {
    forget(name)
    items[name] = 0
    append(name, value, isItem: false)
  }

  mutating func add(_ name: String, _ value: [UInt8]) {
    append(name, value, isItem: true)
    items[name, default: 0] += 1
    guard let count = items[name], count > Self.mostItems else { return }
    var rest = count / 2
    for i in entries.indices where rest > 0 && entries[i].name == name && entries[i].isItem {
      guard entries[i].value != nil else { continue }
      drop(i)
      rest -= 1
    }
    items[name] = count - count / 2
    compact()
  }

  private mutating func append(_ name: String, _ value: [UInt8], isItem: Bool) {
    last += 1
    held += value.count + Self.overhead
    entries.append(Entry(number: last, name: name, isItem: isItem, value: value))
  }

  private mutating func forget(_ name: String) {
    guard items[name] != nil else { return }
    for i in entries.indices.reversed() where entries[i].name == name && entries[i].value != nil {
      drop(i)
      // What was set is older than all that was added to it.
      if !entries[i].isItem { break }
    }
    compact()
  }

  private mutating func drop(_ i: Int) {
    held -= (entries[i].value?.count ?? 0) + Self.overhead
    entries[i].value = nil
    dropped += 1
  }

  private mutating func compact() {
    guard dropped > 64, dropped > entries.count / 2 else { return }
    entries.removeAll { $0.value == nil }
    dropped = 0
  }
}

extension PageRecord {
  /// The next message for a page that has been told up to `number`, which moves on; nil where it knows all.
  func message(after number: inout UInt64) -> [UInt8]? {
    var i = index(after: number)
    while i < entries.count, entries[i].value == nil { i += 1 }
    guard i < entries.count, let value = entries[i].value else { return nil }
    let first = entries[i]
    var text = TextBuffer(capacity: value.count + 64)
    text.append(first.isItem ? "{\"add\":" : "{\"set\":")
    text.append(quoted: first.name)
    text.append(first.isItem ? ",\"values\":[" : ",\"value\":")
    value.withUnsafeBytes { text.append($0) }
    number = first.number
    guard first.isItem else {
      text.append("}")
      return Array(text.bytes)
    }
    for entry in entries[(i + 1)...].prefix(Self.mostTogether) {
      guard entry.name == first.name, entry.isItem, let value = entry.value else { break }
      text.append(",")
      value.withUnsafeBytes { text.append($0) }
      number = entry.number
    }
    text.append("]}")
    return Array(text.bytes)
  }

  private func index(after number: UInt64) -> Int {
    entries.partitioningIndex { $0.number > number }
  }
}
