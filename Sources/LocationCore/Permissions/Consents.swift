import LocationModel

/// How far somebody who is no administrator may change permissions.
package enum Consent: Sendable {
  case none
  /// Of their own user's apps.
  case own
  case all
}

/// Requests of such, which polkit or a group decides about.
struct Consents {
  struct Waiting {
    var client: ClientID
    var call: Call
  }

  var waiting: [Int64: Waiting] = [:]
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
}

extension LocationService {
  /// Nobody in a sandbox, and no app that has a name of its own for itself.
  mutating func askForConsent(
    _ call: Call, of client: ClientID, _ caller: Caller, into outputs: inout [Output]
  ) throws(Refusal) {
    guard caller.walls == .none else { throw Self.noAdministrator(caller) }
    if case .permissionsSet(let change) = call.request, change.app == caller.app,
      caller.kind != .user, change.authorization != .denied
    {
      throw Refusal(.denied, "No app can grant itself anything; \(caller.app) can ask.")
    }
    let ofUser = consents.waiting.values.count { clients[$0.client]?.caller.uid == caller.uid }
    guard ofUser < Consents.mostPerUser else {
      throw Refusal(.limitExceeded, "Too many of your requests wait to be consented to.")
    }
    outputs.append(.consult(consents.add(client, call), caller))
  }

  mutating func take(
    _ consent: Consent, for number: Int64, at now: Instant, into outputs: inout [Output]
  ) {
    guard let waiting = consents.waiting.removeValue(forKey: number),
      let caller = clients[waiting.client]?.caller
    else { return }
    let place = outputs.count
    let id = waiting.call.id
    do throws(Refusal) {
      guard consent != .none else { throw Self.noAdministrator(caller) }
      let call = consent == .all ? waiting.call : try Self.limited(waiting.call, to: caller)
      let reply = try execute(
        call, of: waiting.client, caller, ofAll: consent == .all, at: now, into: &outputs)
      if let reply, let id { outputs.insert(.answer(waiting.client, id: id, reply), at: place) }
    } catch {
      if let id { outputs.append(.refuse(waiting.client, id: id, error)) }
    }
  }

  /// The same, if it is about the caller's own apps.
  private static func limited(_ call: Call, to caller: Caller) throws(Refusal) -> Call {
    var call = call
    switch call.request {
    case .permissionsList: return call
    case .permissionsSet(let change)
    where (change.uid ?? caller.uid) == caller.uid && change.authorization != .restricted:
      return call
    case .permissionsReset(var selection) where (selection.uid ?? caller.uid) == caller.uid:
      selection.uid = caller.uid
      call.request = .permissionsReset(selection)
      return call
    default:
      throw Refusal(
        .denied, "You may change your own programs' permissions only. Try it with sudo.")
    }
  }

  static func noAdministrator(_ caller: Caller) -> Refusal {
    Refusal(
      .denied,
      "Only an administrator may do this: \(caller.app) (uid \(caller.uid)) is none. Try it with sudo."
    )
  }
}
