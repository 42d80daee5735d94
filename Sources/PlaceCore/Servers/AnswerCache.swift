internal import Geodesy
package import LocationModel

/// What servers have said, for the user that asked alone. It forgets by age and by bytes.
package struct AnswerCache: Sendable {
  private struct Entry: Sendable {
    var request: PlaceRequest
    var places: [Placemark]
    var at: Boottime
    var bytes: Int
  }

  /// An answer about a place holds for places near it for a while, as Core Location's own advice has it.
  static let nearness = 1000.0
  static let recency: Duration = .seconds(60)
  /// The same question has the same answer for a day.
  static let age: Duration = .seconds(86_400)
  static let sameness = 10.0

  private var users: [UInt32: [Entry]] = [:]
  private let bytesPerUser: Int
  private let mostUsers: Int

  package init(bytesPerUser: Int = 256 << 10, mostUsers: Int = 16) {
    self.bytesPerUser = bytesPerUser
    self.mostUsers = mostUsers
  }

  package var bytes: Int { users.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes } } }

  package func places(for request: PlaceRequest, of user: UInt32, at now: Boottime) -> [Placemark]?
  {
    (users[user] ?? []).last { $0.request.answers(request, after: now - $0.at) }?.places
  }

  package mutating func add(
    _ places: [Placemark], for request: PlaceRequest, of user: UInt32, at now: Boottime
  ) {
    if users[user] == nil, users.count >= mostUsers {
      // The user whose newest answer is the oldest.
      let oldest = users.min { ($0.value.last?.at ?? .start) < ($1.value.last?.at ?? .start) }
      if let oldest { users[oldest.key] = nil }
    }
    let size = 256 + request.parameters.text.utf8.count + places.reduce(0) { $0 + $1.size }
    guard size <= bytesPerUser else { return }
    var entries = (users[user] ?? []).filter { $0.request != request && now - $0.at < Self.age }
    entries.append(Entry(request: request, places: places, at: now, bytes: size))
    var total = entries.reduce(0) { $0 + $1.bytes }
    var first = 0
    while total > bytesPerUser {
      total -= entries[first].bytes
      first += 1
    }
    users[user] = Array(entries[first...])
  }
}

// MARK: - Between two runs

extension AnswerCache {
  /// All that it holds, with dates: the machine may start anew before somebody reads it.
  package func json(at now: Boottime, _ date: Timestamp) -> JSON {
    let entries = users.sorted { $0.key < $1.key }.flatMap { user, entries in
      entries.filter { now - $0.at < Self.age }.map { entry -> JSON in
        [
          "user": .integer(Int64(user)), "method": .string(entry.request.method),
          "params": entry.request.parameters, "places": .array(entry.places.map(\.json)),
          "date": .integer((date - (now - entry.at)).microseconds),
        ]
      }
    }
    return ["answers": .array(entries)]
  }

  /// Entries that cannot be understood, are too old or of the future are left out.
  package mutating func restore(_ json: JSON, at now: Boottime, _ date: Timestamp) {
    for entry in json["answers"]?.array ?? [] {
      guard let user = entry["user"]?.integer.flatMap(UInt32.init(exactly:)),
        let method = entry["method"]?.string, let microseconds = entry["date"]?.integer,
        let request = try? PlaceRequest(
          method: method, parameters: Parameters(entry["params"] ?? [:])),
        let places = entry["places"]?.array?.compactMap(Placemark.init)
      else { continue }
      let age = date - Timestamp(microseconds: microseconds)
      guard age >= .zero, age < Self.age else { continue }
      add(places, for: request, of: user, at: now - age)
    }
  }
}

extension PlaceRequest {
  /// Whether the answer to this one, so old, answers the other, too.
  package func answers(_ other: PlaceRequest, after age: Duration) -> Bool {
    guard age < AnswerCache.age else { return false }
    guard case .reverseGeocode(let asked) = self, case .reverseGeocode(let wanted) = other else {
      return self == other
    }
    guard asked.locale == wanted.locale else { return false }
    let distance = asked.coordinate.distance(to: wanted.coordinate)
    return distance < (age < AnswerCache.recency ? AnswerCache.nearness : AnswerCache.sameness)
  }
}

extension Placemark {
  /// About what it takes of memory.
  fileprivate var size: Int { 512 + json.text.utf8.count }
}
