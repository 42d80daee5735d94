package import LocationModel

/// Something that a person has removed from the track.
package enum Removal: Equatable, Sendable {
  case time(ClosedRange<Timestamp>)
  case zone(Zone)
}

/// The places of which a broker may retain one: those of the last message that it has confirmed, and of each after it.
struct RetainedPlaces: Equatable, Sendable {
  fileprivate struct Place: Equatable, Sendable {
    var date: Timestamp
    var coordinate: Coordinate
    var accuracy: Double
  }

  private struct Message: Equatable, Sendable {
    /// The transport's number; nil once its connection is gone.
    var receipt: Int?
    var places: [Place]
    /// The message takes the place away.
    var clears = false
  }

  /// The broker was told an entry, retained or not.
  private(set) var isTold = false
  /// The broker may retain a place that is not known: an earlier run of the program has told it, or too many were told.
  private var holdsUnknown = false
  private var messages: [Message] = []
  /// A place is about to be told, and may be on its way when the program is killed.
  var isExpected = false

  /// A broker that confirms nothing is told more and more.
  private static let mostMessages = 16

  /// The broker may retain a place.
  var mayHold: Bool { holdsUnknown || messages.contains { !$0.places.isEmpty } }

  func mayHold(_ removal: Removal) -> Bool {
    holdsUnknown || messages.contains { $0.places.contains { removal.covers($0) } }
  }

  /// The message goes out. `entries`: those whose places the broker retains of it.
  mutating func tell(_ entries: [TrackEntry], receipt: Int?) {
    (isTold, isExpected) = (true, false)
    guard !entries.isEmpty else { return }
    let places = entries.map {
      Place(date: $0.timestamp, coordinate: $0.coordinate, accuracy: $0.horizontalAccuracy)
    }
    messages.append(Message(receipt: receipt, places: places))
    if messages.count > Self.mostMessages {
      messages.removeFirst()
      holdsUnknown = true
    }
  }

  mutating func clear() { messages.append(Message(receipt: nil, places: [], clears: true)) }

  /// The broker has taken the place away that it had then.
  mutating func confirmClearing() {
    guard let i = messages.lastIndex(where: \.clears) else { return }
    replace(upTo: i + 1)
  }

  /// A message that came before this one is retained no more.
  mutating func confirm(_ receipt: Int) {
    guard let i = messages.firstIndex(where: { $0.receipt == receipt }) else { return }
    replace(upTo: i)
  }

  private mutating func replace(upTo end: Int) {
    messages.removeFirst(end)
    holdsUnknown = false
  }

  /// Nothing that is under way is confirmed any more.
  mutating func disconnect() {
    messages.removeAll(where: \.clears)
    for i in messages.indices { messages[i].receipt = nil }
  }
}

extension Removal {
  /// The condition of the disk's removal takes a hundredth more.
  private static let margin = 1.02

  fileprivate func covers(_ place: RetainedPlaces.Place) -> Bool {
    switch self {
    case .time(let time): time.contains(place.date)
    case .zone(let zone):
      zone.mayContain(
        place.coordinate, accuracy: zone.radius * (Self.margin - 1) + place.accuracy * Self.margin)
    }
  }
}

// MARK: - On the disk

extension RetainedPlaces {
  var members: [JSON.Member] {
    let holds: [JSON.Member] =
      mayHold || isExpected ? [.init(key: "holds", value: .bool(true))] : []
    return [.init(key: "told", value: .bool(isTold || isExpected))] + holds
  }

  /// `memory`: nil where an older tracker wrote down nothing of it.
  init(_ memory: JSON?, _ plan: UplinkPlan, _ confirmed: Confirmed) {
    if let told = memory?["told"]?.bool {
      (isTold, holdsUnknown) = (told, memory?["holds"]?.bool == true)
    } else {
      isTold = !confirmed.ranges.isEmpty
      holdsUnknown = isTold && plan.isRetained
    }
  }
}
