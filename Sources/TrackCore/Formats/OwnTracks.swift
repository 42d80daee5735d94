package import LocationModel

/// OwnTracks' messages: https://owntracks.org/booklet/tech/json/.
package struct OwnTracks: Equatable, Sendable {
  /// Two letters that a map shows.
  private let initials: String

  package init(device: String) {
    initials = String(device.suffix(2))
  }

  /// A message, and what is added to the device's topic for it.
  package struct Message: Equatable, Sendable {
    package var subtopic: String
    package var json: JSON

    package init(subtopic: String = "", json: JSON) {
      (self.subtopic, self.json) = (subtopic, json)
    }

    fileprivate func adding(_ more: JSON) -> Message {
      Message(subtopic: subtopic, json: .object((json.members ?? []) + (more.members ?? [])))
    }
  }

  /// The part that a message by HTTP adds: web servers have no topic to tell devices apart.
  package struct Origin: Equatable, Sendable {
    package var topic: String
    package var track: String
    package var date: Timestamp

    package init(topic: String, track: String, date: Timestamp) {
      (self.topic, self.track, self.date) = (topic, track, date)
    }

    fileprivate func members(of message: Message, id: String) -> JSON {
      ["topic": .string(topic + message.subtopic), "_id": .string("\(track)-\(id)")]
    }
  }

  package func message(_ entry: TrackEntry, from origin: Origin) -> Message {
    let words = message(entry)
    let date: JSON = ["created_at": .integer(origin.date.seconds)]
    return words.adding(date).adding(origin.members(of: words, id: "\(entry.number)"))
  }

  package func message(_ entry: TrackEntry) -> Message {
    let subtopic = Self.subtopic(entry.kind)
    return Message(
      subtopic: subtopic, json: subtopic.isEmpty ? location(entry) : transition(entry))
  }

  static func subtopic(_ kind: TrackEntry.Kind) -> String {
    switch kind {
    case .enter, .leave: "/event"
    case .place, .arrival, .departure: ""
    }
  }

  /// The broker's words when the device has gone without any.
  package static func will(_ now: Timestamp) -> JSON {
    ["_type": "lwt", "tst": .integer(now.seconds)]
  }

  /// The newest place once more: the device is there, and nothing is new.
  package func heartbeat(_ entry: TrackEntry, at now: Timestamp) -> Message {
    Message(json: location(entry)).adding(["t": "p", "created_at": .integer(now.seconds)])
  }

  package func heartbeat(_ entry: TrackEntry, from origin: Origin) -> Message {
    let words = heartbeat(entry, at: origin.date)
    return words.adding(origin.members(of: words, id: "heartbeat-\(origin.date.seconds)"))
  }

  private func location(_ entry: TrackEntry) -> JSON {
    let circumstances = entry.circumstances
    return [
      "_type": "location", "tid": .string(initials), "lat": .number(entry.coordinate.latitude),
      "lon": .number(entry.coordinate.longitude), "tst": .integer(entry.timestamp.seconds),
      "acc": entry.horizontalAccuracy.whole, "alt": entry.altitude?.whole,
      "vac": entry.verticalAccuracy?.whole, "vel": entry.speed.flatMap { ($0 * 3.6).whole },
      "cog": entry.course?.whole, "batt": circumstances.battery.map { .integer(Int64($0)) },
      "bs": circumstances.power.map { .integer($0.rawValue) },
      "conn": circumstances.network.map { .string($0.word) },
      "inregions": entry.inside.isEmpty ? nil : .array(entry.inside.map { .string($0.name) }),
      "inrids": entry.inside.isEmpty ? nil : .array(entry.inside.map { .string($0.id) }),
    ]
  }

  /// Home Assistant wants `desc` and `event`.
  private func transition(_ entry: TrackEntry) -> JSON {
    [
      "_type": "transition", "tid": .string(initials), "lat": .number(entry.coordinate.latitude),
      "lon": .number(entry.coordinate.longitude), "tst": .integer(entry.timestamp.seconds),
      "wtst": .integer(entry.regionMade?.seconds ?? 0), "acc": entry.horizontalAccuracy.whole,
      "event": entry.kind == .enter ? "enter" : "leave",
      "desc": .string(entry.region ?? ""), "rid": entry.regionID.map(JSON.string), "t": "c",
    ]
  }
}

extension Timestamp {
  /// The nearest whole second.
  var seconds: Int64 {
    let (whole, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return whole + (part >= 500_000 ? 1 : 0)
  }
}

extension Double {
  /// The nearest whole number.
  var whole: JSON? { Int64(exactly: rounded()).map(JSON.integer) }
}

extension Circumstances.Network {
  /// OwnTracks knows no cable.
  fileprivate var word: String {
    switch self {
    case .none: "o"
    case .wifi, .wired: "w"
    case .mobile: "m"
    }
  }
}
