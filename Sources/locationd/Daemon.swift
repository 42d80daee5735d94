import Console
import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// Joins the service to the machine: what happens becomes an input, what comes out is done.
final class Daemon {
  let loop: EventLoop
  let log: Log
  let reader: ConfigurationReader<Configuration>
  var configuration: Configuration
  private var service: LocationService
  let resolver: Resolver
  let memory = SpeedMemory()
  /// Where secrets of this run come from.
  let secret = NetworkSalt(.random(in: .min ... .max), .random(in: .min ... .max))
  private let identifier: Identifier
  var registry = SourceRegistry()
  var files = PlaceFiles()
  var doors = Doors()
  private var ledger: Ledger?
  var sessions: Sessions?
  private let lookup = ProgramLookup()
  private var polkit: Polkit?
  private var launcher: Launcher?
  private var units: UnitInquiry?
  private var places: PlacesLink?
  private var advertiser: BeaconAdvertiser?
  var journal: Journal?
  private var timer: EventLoop.Timer?
  /// Gives back the memory that only the start needed, once the first client is answered.
  private var trimAfterStart: EventLoop.Timer?
  /// Gives back the memory of clients that have gone.
  private var trimAfterCrowd: EventLoop.Timer?
  private var signals: [EventLoop.SignalWatch] = []
  var ending: EventLoop.Timer?
  /// Puts back what a daemon before has changed at a modem that is no source any more.
  var mender: ModemSource?

  private var inbox: [Input] = []
  private var outputs: [Output] = []
  private var isHandling = false
  /// Something busy is quiet now, and memory can be given back.
  private var hasQuieted = false
  private var clientCount = 0
  private var clients = HighWater(least: 32)
  private var held = HighWater(least: 1 << 20)

  private static let start: Duration = .milliseconds(200)
  private static let leave: Duration = .seconds(1)

  init(
    _ reader: ConfigurationReader<Configuration>, _ configuration: Configuration, _ log: Log
  ) throws(SystemError) {
    self.reader = reader
    self.configuration = configuration
    self.log = log
    loop = try EventLoop()
    resolver = try Resolver(on: loop)
    identifier = try Identifier(on: loop)
    service = LocationService(configuration.settings(sources: []), at: .now)

    identifier.agents = { [unowned self] caller, answer in
      guard let agent = service.agent(for: caller) else {
        return service.wait(of: caller, at: .now).map { .awaited(until: $0) } ?? .absent
      }
      let isAsked = lookup.identify(caller, by: agent, at: Clock.boottime, answer) {
        doors[agent]?.ask(agent, $0, $1)
      }
      return isAsked ? .asked(agent) : .absent
    }

    journal = try Journal(log, on: loop) { [unowned self] in
      // A known network tells a place: the journal says nothing of radios.
      guard registry.kind(of: $0) != .radio else { return nil }
      return (service.secondsSinceFix(of: $0, at: .now), registry[$0]?.details.remark)
    }
    // The daemon that has the socket has the rest, too.
    let given = try UnixListener.given()
    let listener = if let given { given } else { try UnixListener(path: configuration.socket) }
    try remember()
    // Before the sources: those that are needed at once ask on the bus what is others', and what
    // they come to is done with all this.
    if let place = configuration.bus {
      doors.bus = try BusDoors(at: place, identifier, configuration, on: loop, log) {
        [unowned self] in
        service.isEnabled(for: $0)
      } post: {
        [unowned self] in
        post($0)
      }
    }
    timer = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in post(.timer)
    }
    places = try PlacesLink(with: resolver) { [unowned self] in post($0) }
    polkit = Polkit(on: doors.bus?.connection) { [unowned self] in post(.consented($0, $1)) }
    advertiser = BeaconAdvertiser(on: doors.bus?.connection, loop) { [unowned self] in
      post(.advertised($0, trouble: $1))
    }
    launcher = Launcher(on: doors.bus?.connection, identifier)
    units = UnitInquiry(on: doors.bus?.connection)
    launcher?.agents = { [unowned self] caller, name, answer in
      guard let agent = service.agent(for: caller) else { return false }
      return lookup.findOwner(of: name, by: agent, at: Clock.boottime, answer) {
        doors[agent]?.ask(agent, $0, $1)
      }
    }
    try use(configuration)
    doors.socket = try SocketDoor(listener, identifier, limits: configuration.door, on: loop, log) {
      [unowned self] in post($0)
    }
    openShare(identifier) { [unowned self] in service.hasAgent(of: $0) }
    signals = try loop.watchSignals { [unowned self] in
      end()
    } reload: { [unowned self] in
      reload()
    }
    let place = given == nil ? configuration.socket : "the socket it was given"
    trimAfterStart = try EventLoop.Timer(slack: .milliseconds(50), on: loop) { [unowned self] in
      trimAfterStart = nil
      Memory.trim()
    }
    trimAfterStart?.set(Clock.boottime + Self.start)
    trimAfterCrowd = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { Memory.trim() }
    log.info("locationd \(version) listens on \(place)")
  }

  /// Before anyone can ask for anything.
  private func remember() throws(SystemError) {
    let (place, warning) = StatePlace.chosen(configuration.state)
    if let warning { log.warning("\(warning)") }
    let ledger = try Ledger(place, on: loop, log) { [unowned self] in post($0) }
    if let complaint = ledger.complaint { log.error("\(complaint)") }
    if case .folder(let folder) = place { memory.keep(in: folder) }
    self.ledger = ledger
    _ = files.refresh()
    service = LocationService(settings(configuration), ledger.drainRemembered(), at: .now)
    ledger.readNetworks()
  }

  func run() throws(SystemError) { try loop.serve() }

  /// An input that comes while another is handled waits its turn.
  func post(_ input: Input) {
    if case .answered(let agent, .program(let number), let answer) = input {
      return lookup.accept(answer, to: number, from: agent)
    }
    if log.isVerbose { log.trace(input, registry) }
    switch input {
    case .found, .failed: journal?.follow(input, named: registry.name)
    case .connected:
      clientCount += 1
      if files.refresh() { post(.configured(settings(configuration))) }
    case .gone: clientCount -= 1
    default: break
    }
    guard !isHandling else { return inbox.append(input) }
    isHandling = true
    handle(input)
    var next = 0
    while next < inbox.count {
      handle(inbox[next])
      next += 1
    }
    if next > 0 { inbox.removeAll(keepingCapacity: true) }
    isHandling = false
    if input.isFix { return }
    let areFewer = clients.didDrop(to: clientCount)
    if areFewer { hasQuieted = true }
    if held.didDrop(to: service.heldBytes + (doors.socket?.held ?? 0)) || areFewer {
      trimAfterCrowd?.set(Clock.boottime + Self.leave)
    }
    if hasQuieted {
      hasQuieted = false
      Memory.trim()
    }
  }

  private func handle(_ input: Input) {
    if case .reading(let source, .fix(let fix)) = input { doors.share?.note(fix, of: source) }
    service.handle(input, at: .now, into: &outputs)
    // In their order, each moved out and not copied.
    outputs.reverse()
    while let output = outputs.popLast() { perform(output) }
    if !input.isFix {
      doors.bus?.offer(registry.maySayPlaces ? 0 : service.knownAccuracy(at: .now))
    }
    if case .gone(let client) = input {
      identifier.gone(client)
      lookup.forget(client)
    }
  }

  private func perform(_ output: Output) {
    if log.isVerbose { log.trace(output, registry) }
    switch output {
    case .report(let recipients, let event, let number): doors.deliver(recipients, event, number)
    case .tell(let recipients, let event): doors.deliver(recipients, event)
    case .answer(let client, let id, .status(var status)):
      status.count(registry.named, slow: doors.share?.slow)
      status.sky = status.maySeeSky ? status.sources?.sky : nil
      if status.obstacle == nil { status.obstacle = status.sources?.whyNoFix }
      doors[client]?.answer(client, id, .status(status))
    case .answer(let client, let id, let reply): doors[client]?.answer(client, id, reply)
    case .refuse(let client, let id, let refusal): doors[client]?.refuse(client, id, refusal)
    case .hangUp(let client): doors[client]?.hangUp(client)
    case .purge(let client): doors[client]?.purge(client)
    case .ask(let agent, let request, let call): doors[agent]?.ask(agent, request, call)
    case .notify(let agent, let request): doors[agent]?.ask(agent, request, nil)
    case .agentCame(let uid): identifier.agentCame(uid)
    case .look(let caller):
      identifier.lookAgain(caller) { [unowned self] in
        guard let process = caller.process else { return }
        post(.looked(caller.uid, process, $0, socket: caller.socket))
      }
    case .renamed(let client, let caller): doors[client]?.rename(client, to: caller)
    case .authorizeAdmin(let number, let caller): polkit?.ask(number, about: caller)
    case .authorizeMachine(let number, let caller): polkit?.ask(number, about: caller, .machine)
    case .authorizeAdmins(let number, let caller): polkit?.authorizeAdmins(number, about: caller)
    case .changed(let listers, let app, let uid):
      doors.bus?.own?.notifyChange(of: app, uid, to: listers)
    case .regionsChanged(let app): doors.bus?.own?.notifyRegionsChanged(of: app)
    case .note(let text, let note): journal?.note(text, note)
    case .commit(let changes, let id): ledger?.commit(changes, id)
    case .findOwner(let number, let name, let caller):
      launcher?.findOwner(number, of: name, for: caller) { [unowned self] in
        post(.ownerFound(number, $0))
      }
    case .launch(let number, let activation):
      launcher?.start(number, activation) { [unowned self] in post(.launched(number, $0)) }
    case .askUnit(let unit):
      units?.ask(unit) { [unowned self] in post(.unitFound(unit, $0)) }
    case .locate(let number, let question): places?.ask(number, question)
    case .open(let source, let demand):
      journal?.follow(output)
      registry[source]?.open(for: demand)
    case .demand(let source, let demand): registry[source]?.update(demand)
    case .close(let source):
      journal?.follow(output)
      registry[source]?.close()
      hasQuieted = true
    case .scan(let source): registry[source]?.scan()
    case .advertise(let frames): advertiser?.advertise(frames)
    case .wake(let boottime): timer?.set(boottime)
    }
  }
}
