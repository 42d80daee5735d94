package import LocationModel

/// A request to the tracker: JSON-RPC 2.0, as to the daemon.
package enum TrackCall: ServiceRequest {
  package typealias Reply = TrackReply

  case status
  /// Entries of a time, after a number, so many at most.
  case entries(from: Timestamp, to: Timestamp, after: Int64, limit: Int)
  /// The entries of a time, or of a zone, are removed for good.
  case forget(from: Timestamp, to: Timestamp)
  case forgetZone(String)
  /// Nothing is kept for so long, or until a person ends it.
  case pause(Duration?)
  case resume
  /// Everything is written and sent now, as far as it goes.
  case flush
  /// Sends again what a server refused; nil is every server.
  case retry(uplink: String?)
  /// Tries a server, step by step, without a place.
  case test(uplink: String)
  /// Gives up what a server refused.
  case drop(uplink: String)

  static let mostEntries = 1000

  package static func parse(
    _ line: UnsafeRawBufferPointer
  ) -> (id: JSON, Result<TrackCall, Refusal>) {
    guard let json = try? JSON(parsing: line), json.members != nil else {
      return (.null, .failure(Refusal(.malformed, "A request is one JSON object a line.")))
    }
    let id = json["id"] ?? .null
    guard id.isRequestID else { return (.null, .failure(.unusableID)) }
    do throws(Refusal) {
      guard let method = json["method"]?.string else {
        throw Refusal(.invalidRequest, "The member \"method\" is missing.")
      }
      guard let row = methods.first(where: { $0.name == method }) else {
        throw Refusal(.unknownMethod, "There is no method '\(method.plain(atMost: 64))'.")
      }
      // Parameters that a method does not know are passed over.
      let parameters = json["params"]
      return (id, .success(try row.read(Parameters(parameters?.members == nil ? nil : parameters))))
    } catch {
      return (id, .failure(error))
    }
  }

  package static let methods: [Method<TrackCall>] = [
    Method("status", .status, reply: { .status(TrackStatus(json: $0)) }),
    Method("entries", ["from", "to", "after", "limit"], reply: page) {
      (given) throws(Refusal) in
      let limit = given.json["limit"]?.integer ?? Int64(mostEntries)
      guard (1...Int64(mostEntries)).contains(limit) else {
        throw Refusal(.invalidParameters, "limit must be a number from 1 to \(mostEntries).")
      }
      return .entries(
        from: try date("from", given.json) ?? Timestamp(microseconds: .min),
        to: try date("to", given.json) ?? Timestamp(microseconds: .max),
        after: given.json["after"]?.integer ?? 0, limit: Int(limit))
    } write: {
      guard case .entries(let from, let to, let after, let limit) = $0 else { return nil }
      return [
        "from": from.isPlausible ? .string(from.iso8601) : nil,
        "to": to.isPlausible ? .string(to.iso8601) : nil, "after": .integer(after),
        "limit": .integer(Int64(limit)),
      ]
    },
    Method("forget", ["from", "to", "zone"], reply: removed) {
      (given) throws(Refusal) in
      if let zone = given.json["zone"]?.string { return .forgetZone(zone) }
      guard let from = try date("from", given.json), let to = try date("to", given.json) else {
        throw Refusal(.invalidParameters, "forget wants from and to, or a zone.")
      }
      return .forget(from: from, to: to)
    } write: {
      switch $0 {
      case .forget(let from, let to):
        return ["from": .string(from.iso8601), "to": .string(to.iso8601)]
      case .forgetZone(let zone): return ["zone": .string(zone)]
      default: return nil
      }
    },
    Method("pause", ["seconds"], reply: silence) {
      (given) throws(Refusal) in
      guard let seconds = given.json["seconds"] else { return .pause(nil) }
      guard let seconds = seconds.double, (1...longestPause).contains(seconds) else {
        throw Refusal(.invalidParameters, "seconds must be a number from 1 to \(longestPause).")
      }
      return .pause(.seconds(seconds))
    } write: {
      guard case .pause(let time) = $0 else { return nil }
      return ["seconds": time.map { .number($0.seconds) }]
    }, Method("resume", .resume, reply: silence),
    Method("flush", .flush, reply: { _ in .done }),
    Method("retry", ["uplink"], reply: retried) {
      .retry(uplink: $0.json["uplink"]?.string)
    } write: {
      guard case .retry(let uplink) = $0 else { return nil }
      return ["uplink": uplink.map(JSON.string)]
    },
    Method("test", ["uplink"], reply: trials) {
      (given) throws(Refusal) in
      guard let uplink = given.json["uplink"]?.string else {
        throw Refusal(.invalidParameters, "test wants an uplink.")
      }
      return .test(uplink: uplink)
    } write: {
      guard case .test(let uplink) = $0 else { return nil }
      return ["uplink": .string(uplink)]
    },
    Method("drop", ["uplink"], reply: removed) {
      (given) throws(Refusal) in
      guard let uplink = given.json["uplink"]?.string else {
        throw Refusal(.invalidParameters, "drop wants an uplink.")
      }
      return .drop(uplink: uplink)
    } write: {
      guard case .drop(let uplink) = $0 else { return nil }
      return ["uplink": .string(uplink)]
    },
  ]

  private static func trials(_ json: JSON) -> TrackReply? {
    .trials(json.list("servers", TrialReport.init) ?? [])
  }

  /// A year.
  package static let longestPause = 31_622_400.0

  private static func silence(_ json: JSON) -> TrackReply? {
    .silence(json["silence"].flatMap(Silence.Reason.init))
  }

  private static func page(_ json: JSON) -> TrackReply? { .entries(TrackPage(json)) }

  private static func retried(_ json: JSON) -> TrackReply? {
    .retried(json["retried"]?.integer ?? 0)
  }

  private static func removed(_ json: JSON) -> TrackReply? {
    .removed(
      json["removed"]?.integer ?? 0,
      remains: json["remains"]?.array?.compactMap(\.string) ?? [])
  }

  private static func date(_ name: String, _ parameters: JSON) throws(Refusal) -> Timestamp? {
    guard let value = parameters[name] else { return nil }
    guard let date = value.string.flatMap(Timestamp.init(iso8601:)) else {
      throw Refusal(.invalidParameters, "\(name) must be a date such as 2026-11-24T08:00:00Z.")
    }
    return date
  }
}
