import LocationCore
import LocationModel
import ReceiverCore

/// The daemon's mind, with a source and one client that may everything; what it wants written is
/// written at once.
struct Mind {
  private var service: LocationService
  private var now = Instant.start
  private var outputs: [LocationCore.Output] = []
  private(set) var changes: [Change] = []
  private var wakeAt: Boottime?
  private var turns = 0

  static let source = SourceID(0)
  static let client = ClientID(1)
  static let app = App(uid: 0, name: "user:root")

  init(_ remembered: StoreSnapshot = StoreSnapshot()) {
    let settings = LocationService.Settings(
      version: "1", uid: 0,
      sources: [SourceDescription(Self.source, name: "a", simulated: false, mayRest: false)])
    service = LocationService(settings, remembered, at: now)
    handle(.connected(Self.client, Caller(uid: 0, pid: 1, app: Self.app.name)))
  }

  mutating func call(_ call: Call) { handle(.called(Self.client, call)) }

  mutating func answer(_ answer: ClientAnswer) {
    guard let call = AgentCall(id: answer.id) else { return }
    handle(.answered(Self.client, call, answer.result))
  }

  /// A fix there, a second later.
  mutating func fix(at coordinate: Coordinate) {
    pass(.seconds(1))
    let location = Location(coordinate: coordinate, horizontalAccuracy: 5, timestamp: now.utc)
    handle(.reading(Self.source, .fix(Fix(location))))
  }

  /// So much time goes by, and what is due in them happens.
  mutating func pass(_ time: Duration) {
    let end = now.boottime + time
    while let due = wakeAt, due <= end, turns < 1000 {
      turns += 1
      wakeAt = nil
      now.utc = now.utc + max(.zero, due - now.boottime)
      now.boottime = max(now.boottime, due)
      handle(.timer)
    }
    now.utc = now.utc + (end - now.boottime)
    now.boottime = end
  }

  private mutating func handle(_ input: Input) {
    service.handle(input, at: now, into: &outputs)
    let done = outputs
    outputs.removeAll(keepingCapacity: true)
    for output in done {
      var text = TextBuffer()
      switch output {
      case .wake(let at): wakeAt = at
      case .commit(let made, let id):
        changes += made
        handle(.committed(id))
      case .answer(_, let id, let reply): text.append(reply, id: id)
      case .refuse(_, let id, let refusal): text.append(refusal, id: id)
      case .authorizeAdmin(let number, _), .authorizeMachine(let number, _):
        handle(.consented(number, .all))
      case .tell(_, let event), .report(_, let event, _):
        var written = EventText()
        written.write(event, number: 1)
        written.append(to: &text, manager: 0)
      default: continue
      }
      guard text.count > 0 else { continue }
      check(text.bytes.firstIndex(of: 0x0A) == text.count - 1, "it is not one line")
      check((try? JSON(parsing: text.bytes)) != nil, "it is not JSON")
    }
  }
}
