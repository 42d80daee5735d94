import LocationModel
import Platform

/// A program that sends datagrams, known by its machine's address and its port.
///
/// Some take another port for each thing they say; such a one is known by what no two that speak side
/// by side do, short lives of ports, one after the other.
struct DatagramSender {
  let number: Int
  let reader: NMEAReader
  private(set) var address: DatagramListener.Sender
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
    address = sender
    self.reader = reader
    heard = now
    since = now
  }

  mutating func receive(from sender: DatagramListener.Sender, at now: Boottime) {
    if address != sender {
      before.append(address)
      if before.count > Self.mostBefore { before.removeFirst() }
      address = sender
      since = now
    }
    heard = now
  }

  private var isShort: Bool { heard - since < Self.shortLife }

  /// Which one speaks with this new port, if any does; they are in the order of their coming.
  static func changing(
    _ senders: [DatagramSender], to sender: DatagramListener.Sender
  ) -> Int? {
    let neighbours = senders.indices.filter {
      senders[$0].address.isNeighbour(of: sender)
    }
    // One that comes back has not been left.
    guard let newest = neighbours.last,
      !neighbours.contains(where: { senders[$0].before.contains(sender) })
    else { return nil }
    if !senders[newest].before.isEmpty {
      return senders[newest].isShort ? newest : nil
    }
    let row = neighbours.suffix(enough)
    let isRow = zip(row, row.dropFirst()).allSatisfy {
      senders[$0].heard <= senders[$1].since
    }
    guard row.count == enough, isRow, row.allSatisfy({ senders[$0].isShort }) else {
      return nil
    }
    return newest
  }
}
