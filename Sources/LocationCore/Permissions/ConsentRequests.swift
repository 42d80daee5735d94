import LocationModel

/// How far somebody who is no administrator may change permissions.
package enum Consent: Sendable {
  case none
  /// The permissions of their own user's apps.
  case own
  case all
}

/// Requests of callers that are no administrators: polkit or a group decides about them.
struct ConsentRequests {
  struct Waiting {
    var client: ClientID
    var call: Call
  }

  private(set) var waiting: [Int64: Waiting] = [:]
  private var last: Int64 = 0

  static let mostPerUser = 8

  mutating func add(_ client: ClientID, _ call: Call) -> Int64 {
    last += 1
    waiting[last] = Waiting(client: client, call: call)
    return last
  }

  func isWaiting(_ client: ClientID) -> Bool {
    !waiting.isEmpty && waiting.values.contains { $0.client == client }
  }

  mutating func end(_ number: Int64) -> Waiting? { waiting.removeValue(forKey: number) }

  mutating func forget(_ client: ClientID) {
    waiting = waiting.filter { $0.value.client != client }
  }
}
