/// Something for each direction of a road: as its way is drawn, and back.
struct Both<Value> {
  var ahead: Value
  var back: Value

  init(_ ahead: Value, _ back: Value) { (self.ahead, self.back) = (ahead, back) }

  func map<Other>(_ change: (Value) -> Other) -> Both<Other> {
    Both<Other>(change(ahead), change(back))
  }
}

/// OpenStreetMap's tags of a way, or of a node on one.
package struct WayTags: Sendable {
  private let values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  package subscript(key: String) -> String? {
    guard let value = values[key], !value.isEmpty else { return nil }
    return value
  }

  func first(of keys: [String]) -> String? {
    for key in keys {
      if let value = self[key] { return value }
    }
    return nil
  }

  /// For each direction the first of the keys that has a value: `access:forward` counts before `access`.
  func directed(_ keys: [String]) -> Both<String?> {
    var found = Both<String?>(nil, nil)
    for key in keys {
      let common = self[key]
      found.ahead = found.ahead ?? self[key + ":forward"] ?? common
      found.back = found.back ?? self[key + ":backward"] ?? common
      if found.ahead != nil, found.back != nil { break }
    }
    return found
  }
}

/// Words of access tags for one kind of traveller.
struct AccessWords {
  /// Tags that are asked, the narrowest first.
  var keys: [String]
  var lets: Set<String>
  /// Keeps others than those who have business there out, where the road is one for all.
  var local: Set<String> = []
  var bars: Set<String>

  /// The word that counts of a list such as `agricultural;destination`: the most generous.
  func word(of list: String?) -> String? {
    guard let list, list.utf8.contains(UInt8(ascii: ";")) else { return list }
    func rank(_ word: String) -> Int {
      lets.contains(word) ? 3 : local.contains(word) ? 2 : bars.contains(word) ? 1 : 0
    }
    var best: String?
    for part in list.split(separator: ";") {
      let word = String(part.unpadded)
      if let known = best, rank(word) <= rank(known) { continue }
      best = word
    }
    return best ?? list
  }

  func words(of tags: WayTags) -> Both<String?> { tags.directed(keys).map(word) }

  func isBarred(_ word: String?) -> Bool { word.map(bars.contains) ?? false }
}

extension Substring {
  /// Without the spaces around it.
  var unpadded: Substring {
    var rest = self[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
