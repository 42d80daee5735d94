import HTTPClient
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The wishes of a command that are not followed.
struct Unfollowed {
  var count = 0
  var reason = CommandLedger.noRoom
}

/// One server: performs what its `UplinkMachine` says.
final class Uplink {
  let plan: UplinkPlan
  private var machine: UplinkMachine
  private let store: TrackStore
  private let loop: EventLoop
  private let log: Log
  private let position: () -> TrackEntry?
  /// A zone hides the entry: one that was kept before the zone was made is sent to nobody.
  private let hides: (TrackEntry) -> Bool
  /// Follows a command; tells how many of its wishes it does not follow, and why.
  private let obey: (OwnTracks.Command, Uplink) -> Unfollowed
  private let confirmed: (Uplink) -> Void
  private let allowed: () -> Void
  private var transport: (any Transport)?
  private var prober: HTTPClient?
  private var searches = 0
  private var timer: EventLoop.Timer?
  private var deferredClose: EventLoop.Later?
  private var searchEnd: EventLoop.Later?
  /// Inputs that follow from a step come after the steps beside it.
  private var inputs: [UplinkMachine.Input] = []
  private var isHandling = false

  init(
    _ plan: UplinkPlan, _ store: TrackStore, on loop: EventLoop, _ log: Log,
    position: @escaping () -> TrackEntry?, hides: @escaping (TrackEntry) -> Bool,
    obey: @escaping (OwnTracks.Command, Uplink) -> Unfollowed,
    confirmed: @escaping (Uplink) -> Void, allowed: @escaping () -> Void
  ) throws(SystemError) {
    self.plan = plan
    self.store = store
    self.loop = loop
    self.log = log
    self.position = position
    self.hides = hides
    self.obey = obey
    self.confirmed = confirmed
    self.allowed = allowed
    machine = UplinkMachine(
      plan, store.uplinks[plan.name] ?? UplinkMemory(), newest: store.newest, at: Clock.boottime)
    timer = try EventLoop.Timer(slack: .milliseconds(200), on: loop) { [unowned self] in
      handle(.timer)
    }
    // A transport is not let go of from within its own call.
    deferredClose = try EventLoop.Later(on: loop) { [unowned self] in transport = nil }
    searchEnd = try EventLoop.Later(on: loop) { [unowned self] in
      if searches == 0 { prober = nil }
    }
  }

  func handle(_ input: UplinkMachine.Input) {
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      let steps = machine.handle(input, at: .now, chance: .random(in: 0...1))
      for step in steps { perform(step) }
      switch input {
      case .confirmed, .uncleared: confirmed(self)
      default: break
      }
    }
    isHandling = false
  }

  private func perform(_ step: UplinkMachine.Step) {
    switch step {
    case .connect(let way, let address): connect(way, address)
    case .close: deferredClose?.set()
    case .findCause(let fault, let address): findCause(of: fault, address)
    case .reviewed: allowed()
    case .read(let range):
      store.read(range) { [weak self] result in
        guard let self else { return }
        switch result {
        case .success(let entries): handle(.loaded(entries.filter { !hides($0) }, of: range))
        case .failure(let error): handle(.unreadable(reason: "\(error)"))
        }
      }
    case .send(let message): send(message)
    case .sendHeartbeat:
      if let entry = position(), let (receipt, bytes) = transport?.sendHeartbeat(entry) {
        inputs.append(.sentHeartbeat(entry, receipt: receipt, bytes: bytes))
      }
    case .say(let saying): count(transport?.say(saying))
    case .clearPlace: count(transport?.clearPlace())
    case .obey(let command):
      let rest = obey(command, self)
      inputs.append(.unfollowed(rest.count, reason: rest.reason))
    case .save(let confirmed, let sending):
      store.save(confirmed, sending: sending, of: plan.name) { [weak self] error in
        self?.handle(.saved(isWritten: error == nil))
      }
    case .remember(let text, let outlastsPower):
      store.save(broker: text, of: plan.name, outlastsPower: outlastsPower) { [weak self] error in
        self?.handle(.remembered(text, isWritten: error == nil))
      }
    case .reopen(let confirmed, let sending, let entries):
      store.reopen(entries, confirmed, sending: sending, of: plan.name) { [weak self] error in
        self?.handle(.saved(isWritten: error == nil))
      }
    case .park(let number, let reason, let date):
      store.park(number, of: plan.name, because: reason, since: date)
    case .count(let text): store.save(usage: text, of: plan.name)
    case .wake(let moment): timer?.set(moment)
    case .log(let remark): log.write(remark)
    }
  }

  private func connect(_ way: BrokerMemory.Connection?, _ address: UplinkAddress) {
    deferredClose?.cancel()
    transport = nil
    var plan = plan
    plan.address = address
    let track = store.track
    if let fault = plan.files.lazy.compactMap(\.fault).first {
      return inputs.append(.closed(reason: fault, .unreachable))
    }
    do throws(SystemError) {
      if let way {
        transport = try MQTTTransport(plan, way, track: track, on: loop) { [unowned self] in
          handle($0)
        }
      } else {
        transport = try HTTPTransport(plan, track: track, on: loop) { [unowned self] in handle($0) }
        inputs.append(.opened)
      }
    } catch {
      inputs.append(.closed(reason: "\(error)", .unreachable))
    }
  }

  /// libmosquitto does not say what is wrong with TLS: libcurl is asked.
  private func findCause(of fault: String, _ address: UplinkAddress) {
    var plan = plan
    plan.address = address
    guard let client = prober ?? (try? HTTPClient(on: loop, agent: "")) else { return }
    (prober, searches) = (client, searches + 1)
    client.send(HTTPRequest(probing: plan)) { [unowned self] outcome in
      searches -= 1
      searchEnd?.set()
      var words: String?
      if case .failed(let text) = outcome {
        words = ConnectionFault.ofTLS(text, host: address.host, port: address.port)
      }
      handle(.foundCause(words, of: fault, at: address))
    }
  }

  /// An answer that comes at once is heard after this.
  private func send(_ message: UplinkQueue.Message) {
    let place = inputs.count
    let input: UplinkMachine.Input =
      switch transport?.send(message) ?? .notNow {
      case .sent(let receipt, let bytes): .sent(message.number, receipt: receipt, bytes: bytes)
      case .notNow: .unsendable(message.number, isTooLong: false)
      case .tooLong: .unsendable(message.number, isTooLong: true)
      }
    inputs.insert(input, at: place)
  }

  private func count(_ bytes: Int?) {
    if let bytes { inputs.append(.counted(bytes: bytes)) }
  }

  /// Another takes its place, or the program ends: then a connection that is being made is waited for.
  func end(until deadline: Boottime? = nil) {
    if let deadline { transport?.settle(until: deadline) }
    handle(.end)
    deferredClose?.cancel()
    transport = nil
  }

  var confirmedUpTo: Int64 { machine.confirmedUpTo }
  var newestConfirmed: Int64 { machine.newestConfirmed }
  var firstMissing: Int64? { machine.backlog > 0 ? machine.firstMissing : nil }
  var backlog: Int64 { machine.backlog }
  var maySend: Bool { machine.maySend }
  var isClearing: Bool { machine.isClearing }

  func status(oldest: Timestamp? = nil) -> JSON { machine.status(at: .now, oldest: oldest) }

  func mayRetain(_ removal: Removal) -> Bool { machine.mayRetain(removal) }
  var toClear: Set<Int> { machine.toClear }
  func remains(_ asked: Set<Int>) -> [String] { machine.remains(asked) }
}
