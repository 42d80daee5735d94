/// The lines that one client has not read yet.
package struct OutgoingQueue {
  private struct Item {
    var bytes: [UInt8]
    var replaceable: Int?
    var hasPlace: Bool
  }

  private var items: [Item] = []
  /// Items already sent, still at the front of the array, and bytes sent of the next one.
  private var head = 0
  private var sent = 0
  /// Bytes that wait.
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Bytes of memory that it takes: many short lines take more than what they say.
  package var held: Int { count + (items.count - head) * Self.overhead }

  private static let overhead = MemoryLayout<Item>.stride + 48

  /// A line, of which `sent` bytes have gone already. A newer one of the same `replaceable` number
  /// takes an older one's place, unless that is under way.
  package mutating func append(
    _ bytes: [UInt8], sent alreadySent: Int = 0, replaceable: Int? = nil, hasPlace: Bool = false
  ) {
    if let replaceable {
      let firstWhole = sent > 0 ? head + 1 : head
      if let old = items.indices.dropFirst(firstWhole).last(where: {
        items[$0].replaceable == replaceable
      }) {
        count -= items[old].bytes.count
        items.remove(at: old)
      }
    }
    if isEmpty { sent = alreadySent }
    items.append(Item(bytes: bytes, replaceable: replaceable, hasPlace: hasPlace))
    count += bytes.count - alreadySent
  }

  /// Forgets all but a line that is under way, which must end properly.
  mutating func removeWhole() {
    let kept = sent > 0 ? items[head] : nil
    items = kept.map { [$0] } ?? []
    head = 0
    count = kept.map { $0.bytes.count - sent } ?? 0
  }

  /// Forgets what has a place in it; false, and nothing forgotten, where half of such a line is out.
  package mutating func removePlaces() -> Bool {
    if sent > 0, head < items.count, items[head].hasPlace { return false }
    let rest = items[head...].filter { !$0.hasPlace }
    count = rest.reduce(-sent) { $0 + $1.bytes.count }
    items = rest
    head = 0
    return true
  }

  /// Hands the waiting bytes to `send` until it takes no more; it returns how many it took.
  package mutating func drain(_ send: (UnsafeRawBufferPointer) -> Int) {
    while head < items.count {
      let length = items[head].bytes.count
      let taken = items[head].bytes.withUnsafeBytes {
        send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      sent += taken
      count -= taken
      guard sent == length else { return }
      sent = 0
      items[head].bytes = []
      head += 1
      if head > 64, head * 2 > items.count {
        items.removeFirst(head)
        head = 0
      }
    }
    items.removeAll()
    head = 0
  }
}
