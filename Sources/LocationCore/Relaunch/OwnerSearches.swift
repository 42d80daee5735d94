import LocationModel

/// Apps that named what to start by a bus name: it is looked up where that name is theirs.
struct OwnerSearches {
  struct Search {
    var client: ClientID
    var call: JSON?
    var busName: String
    var deadline: Boottime

    /// `place`: where the name was found to be the caller's; nil for nowhere.
    func launch(at place: Launch.Place?, for caller: Caller) throws(Refusal) -> Launch {
      guard let place else {
        throw Refusal(
          .denied,
          "\(caller.app) does not own \(busName) now, or nobody could tell: that is"
            + " asked of the system's bus, and of the session's through locationd-agent.")
      }
      return Launch(.busName(busName), at: place)
    }
  }

  private(set) var all: [Int64: Search] = [:]
  private var last: Int64 = 0

  static let mostPerUser = 8
  private static let patience: Duration = .seconds(10)

  mutating func begin(
    _ client: ClientID, _ call: JSON?, _ busName: String, at now: Instant
  ) -> Int64 {
    last += 1
    all[last] = Search(
      client: client, call: call, busName: busName, deadline: now.boottime + Self.patience)
    return last
  }

  mutating func end(_ number: Int64) -> Search? { all.removeValue(forKey: number) }

  mutating func forget(_ client: ClientID) { all = all.filter { $0.value.client != client } }

  func isWaiting(_ client: ClientID) -> Bool { all.values.contains { $0.client == client } }

  /// The searches that nobody has answered in time.
  func late(at now: Instant) -> [Int64] {
    all.filter { $0.value.deadline <= now.boottime }.keys.sorted()
  }

  var wakesAt: Boottime? { all.isEmpty ? nil : all.values.lazy.map(\.deadline).min() }
}
