package import LocationModel

/// A request to the tracker: JSON-RPC 2.0, as to the daemon.
package enum TrackCall: Equatable, Sendable {
  case status
  /// Entries of a time, after a number, so many at most.
  case entries(from: Timestamp, to: Timestamp, after: Int64, limit: Int)
  /// The entries of a time are removed for good.
  case forget(from: Timestamp, to: Timestamp)
  /// Everything is written and sent now, as far as it goes.
  case flush

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
      return (id, .success(try TrackCall(method, json["params"] ?? [:])))
    } catch {
      return (id, .failure(error))
    }
  }

  private init(_ method: String, _ parameters: JSON) throws(Refusal) {
    switch method {
    case "status": self = .status
    case "flush": self = .flush
    case "entries":
      let limit = parameters["limit"]?.integer ?? Int64(Self.mostEntries)
      guard (1...Int64(Self.mostEntries)).contains(limit) else {
        throw Refusal(.invalidParameters, "limit must be a number from 1 to \(Self.mostEntries).")
      }
      self = .entries(
        from: try Self.date("from", parameters) ?? Timestamp(microseconds: .min),
        to: try Self.date("to", parameters) ?? Timestamp(microseconds: .max),
        after: parameters["after"]?.integer ?? 0, limit: Int(limit))
    case "forget":
      guard let from = try Self.date("from", parameters), let to = try Self.date("to", parameters)
      else { throw Refusal(.invalidParameters, "forget wants from and to.") }
      self = .forget(from: from, to: to)
    default: throw Refusal(.unknownMethod, "There is no method '\(method.prefix(64))'.")
    }
  }

  private static func date(_ name: String, _ parameters: JSON) throws(Refusal) -> Timestamp? {
    guard let value = parameters[name] else { return nil }
    guard let date = value.string.flatMap(Timestamp.init(iso8601:)) else {
      throw Refusal(.invalidParameters, "\(name) must be a date such as 2026-11-24T08:00:00Z.")
    }
    return date
  }

  package var method: String {
    switch self {
    case .status: "status"
    case .entries: "entries"
    case .forget: "forget"
    case .flush: "flush"
    }
  }

  package var parameters: JSON {
    switch self {
    case .status, .flush: [:]
    case .forget(let from, let to):
      ["from": .string(from.iso8601), "to": .string(to.iso8601)]
    case .entries(let from, let to, let after, let limit):
      [
        "from": from.isPlausible ? .string(from.iso8601) : nil,
        "to": to.isPlausible ? .string(to.iso8601) : nil, "after": .integer(after),
        "limit": .integer(Int64(limit)),
      ]
    }
  }
}
