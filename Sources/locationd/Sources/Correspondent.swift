import LocationModel
import Platform

/// A program that sends datagrams, known by its machine's address and its port.
///
/// Some take another port for each thing they say; such a one is known by what no two that speak side
/// by side do, short lives of ports, one after the other.
struct Correspondent {
  let number: Int
  let reader: NMEAReader
  private(set) var sender: DatagramListener.Sender
  private(set) var heard: Boottime
  /// When the port at hand spoke first.
  private var since: Boottime
  /// The ports before, if it changes them.
  private var before: [DatagramListener.Sender] = []

  /// So many in a row, none of which spoke again, are one that changes its port.
  private static let enough = 3
  /// The time from the first to the last word of a port that does not stay.
  private static let shortLife: Duration = .seconds(2)
  private static let mostBefore = 8

  init(_ number: Int, _ sender: DatagramListener.Sender, _ reader: NMEAReader, at now: Boottime) {
    self.number = number
    self.sender = sender
    self.reader = reader
    heard = now
    since = now
  }

  mutating func hear(from sender: DatagramListener.Sender, at now: Boottime) {
    if self.sender != sender {
      before.append(self.sender)
      if before.count > Self.mostBefore { before.removeFirst() }
      self.sender = sender
      since = now
    }
    heard = now
  }

  private var isShort: Bool { heard - since < Self.shortLife }

  /// Which one speaks with this new port, if any does; they are in the order of their coming.
  static func changing(
    _ correspondents: [Correspondent], to sender: DatagramListener.Sender
  ) -> Int? {
    let neighbours = correspondents.indices.filter {
      correspondents[$0].sender.isNeighbour(of: sender)
    }
    // One that comes back has not been left.
    guard let newest = neighbours.last,
      !neighbours.contains(where: { correspondents[$0].before.contains(sender) })
    else { return nil }
    if !correspondents[newest].before.isEmpty {
      return correspondents[newest].isShort ? newest : nil
    }
    let row = neighbours.suffix(enough)
    let isRow = zip(row, row.dropFirst()).allSatisfy {
      correspondents[$0].heard <= correspondents[$1].since
    }
    guard row.count == enough, isRow, row.allSatisfy({ correspondents[$0].isShort }) else {
      return nil
    }
    return newest
  }
}
