import LocationCore
import LocationModel

/// By which door a client came in.
enum DoorKind: UInt64 {
  case socket
  case bus
  case geoclue
  case share
}

extension ClientID {
  /// The count-th client of a door. Its number says which door.
  init(_ count: UInt64, at door: DoorKind) { self.init(count << 2 | door.rawValue) }

  var door: DoorKind? { DoorKind(rawValue: number & 3) }
  /// Its number among the clients of its door.
  var count: UInt64 { number >> 2 }
}

/// Where clients come in, and where they are told and answered.
protocol Door: AnyObject {
  /// Recipients may be other doors' clients, too, who are none of its concern.
  /// A number that is not 0 is one by which the client acknowledges it.
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64)
  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply)
  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal)
  func hangUp(_ client: ClientID)
  /// The client is known by another name now.
  func rename(_ client: ClientID, to caller: Caller)
  /// Nothing that is on its way to it and says a place may arrive.
  func purge(_ client: ClientID)
  /// A request to an agent; without a call the agent answers nothing.
  func ask(_ agent: ClientID, _ request: AgentRequest, _ call: AgentCall?)
}

extension Door {
  /// No agents come by GeoClue's.
  func ask(_: ClientID, _: AgentRequest, _: AgentCall?) {}
}

/// All doors there are.
struct Doors {
  var socket: SocketDoor?
  var bus: BusDoors?
  var share: ShareDoor?

  subscript(client: ClientID) -> (any Door)? {
    switch client.door {
    case .socket: socket
    case .bus: bus?.own
    case .geoclue: bus?.geoclue
    case .share: share
    case nil: nil
    }
  }

  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64 = 0) {
    socket?.deliver(recipients, event, number)
    bus?.own?.deliver(recipients, event, number)
    bus?.geoclue?.deliver(recipients, event, number)
    share?.deliver(recipients, event, number)
  }
}

extension Event {
  /// Events of the same kind take one another's place: only the newest is worth waiting for. Nil for
  /// those that may not be left out.
  var replaceableKind: Int? {
    switch self {
    case .didUpdateLocations(_, .standard): 0
    case .didUpdateHeading: 1
    case .didRangeBeacons(let constraint, _): constraint.hashValue << 2 | 2
    default: nil
    }
  }
}
