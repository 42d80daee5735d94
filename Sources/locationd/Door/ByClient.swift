import LocationCore

/// What a door has for each of its clients. These come in the order of their numbers, and are found by
/// halving: a fix looks for each, and a hash is much more code to go through for few clients.
struct ByClient<Value> {
  private var entries: [(number: UInt64, value: Value)] = []

  var isEmpty: Bool { entries.isEmpty }
  var values: some Collection<Value> { entries.lazy.map(\.value) }

  /// The first one not before that number.
  private func index(of number: UInt64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  subscript(client: ClientID) -> Value? {
    get {
      let i = index(of: client.number)
      return i < entries.count && entries[i].number == client.number ? entries[i].value : nil
    }
    set {
      let i = index(of: client.number)
      let isThere = i < entries.count && entries[i].number == client.number
      entries.replaceSubrange(
        i..<(isThere ? i + 1 : i), with: newValue.map { [(client.number, $0)] } ?? [])
    }
  }

  mutating func remove(_ client: ClientID) -> Value? {
    defer { self[client] = nil }
    return self[client]
  }
}
