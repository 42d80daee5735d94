import Console
import DBus
import LocationClient
import LocationModel
import Platform

/// Answers for one user: asks the person through their desktop, tells their programs apart, and starts
/// them when an event waits for them.
@main
struct LocationdAgent: CommandLineProgram {
  static let name = "locationd-agent"
  private let socket: String

  init(_ arguments: inout Arguments) throws(Failure) {
    socket = try arguments.value("--socket") ?? Connection.defaultPath
  }

  func run() throws(SystemError) {
    try Agent(socket: socket, Log(level: .info)).run()
  }

  static let help = """
    Usage: locationd-agent [--socket PATH]

    Asks you, on your desktop, whether a program of yours may know where this machine is, tells
    locationd which of your programs is which, and starts those that wait for an event. The service
    manager of your session starts it.

      --socket PATH   where the daemon listens (default $LOCATIOND_SOCKET, else
                      /run/locationd/locationd.sock)
      --version       print the version
      --help          print this

    """
}

/// The daemon on one side, the desktop on the other. Either may come and go.
final class Agent {
  private let loop: EventLoop
  private let log: Log
  private let daemon: PersistentConnection
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var desktop: Desktop?
  private var starter: Starter?
  private var notice: HoldNotice?
  private var zone: ZoneNotice?
  /// Nil where the person wants none.
  private var uses: UseDisplay?
  private var signals: [EventLoop.SignalWatch] = []
  /// Questions that came, and what answers them; the first is being asked.
  private var waiting: [(id: JSON, question: AgentQuestion)] = []
  private var hasSaidAway = false
  /// The number of the registration to ask, while it is not known what came of it.
  private var asking: Int64?
  private var registration: EventLoop.Timer?
  /// The number of the request to pause, while it is not answered.
  private var pausing: Int64?

  init(socket: String, _ log: Log) throws(SystemError) {
    daemon = PersistentConnection(path: socket)
    self.log = log
    loop = try EventLoop()
    retry = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in turn() }
    signals = try loop.watchSignals { [unowned self] in loop.stop() }
    registration = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in
      register()
    }
    let bus = try BusConnection(to: .session, on: loop) { _ in }
    notice = try HoldNotice(on: bus, loop)
    let system = try BusConnection(to: .system, on: loop) { _ in }
    zone = try ZoneNotice(session: bus, system: system, loop)
    if AgentSettings(complain: { log.warning("\($0)") }).showsUses {
      uses = try? UseDisplay(on: bus) { [unowned self] in
        pause()
      } complain: {
        log.warning($0)
      }
    }
    starter = Starter(on: bus, log)
    desktop = Desktop(on: bus, log) { [unowned self] in register() }
    turn()
  }

  func run() throws(SystemError) { try loop.serve() }
}

// MARK: - The daemon

extension Agent {
  /// Goes on with the daemon: it can be tried again, or has said something.
  private func turn() {
    for event in daemon.step(at: Clock.boottime) {
      switch event {
      case .opened: greet()
      case .received(let message): if daemon.descriptor != nil { handle(message) }
      case .lost(let error): forget("locationd is not there: \(error)")
      }
    }
    retry?.set(daemon.retriesAt)
  }

  private func greet() {
    guard let descriptor = daemon.descriptor else { return }
    watch = try? EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in turn() }
    send { (daemon) throws(ConnectionError) in
      try daemon.send(.hello(.init(name: "locationd-agent")))
      try daemon.send(.agentStandBy)
    }
    if desktop?.canAsk == true { register() }
  }

  private func send(_ body: (PersistentConnection) throws(ConnectionError) -> Void) {
    guard daemon.descriptor != nil else { return }
    do throws(ConnectionError) {
      try body(daemon)
    } catch {
      lose("locationd is not there: \(error)")
    }
  }

  /// Asks where there is a desktop to ask on, and leaves that to others where there is none.
  private func register() {
    guard daemon.descriptor != nil, let desktop else { return }
    registration?.set(nil)
    asking = nil
    if !desktop.canAsk { forgetQuestions() }
    send { (daemon) throws(ConnectionError) in
      if desktop.canAsk {
        asking = try daemon.send(.agentRegister)
      } else {
        try daemon.send(.agentStandBy)
      }
    }
  }

  private func forgetQuestions() {
    waiting = []
    desktop?.cancel()
  }

  private func lose(_ why: String, for pause: Duration? = nil) {
    daemon.lose(for: pause, at: Clock.boottime)
    forget(why)
    retry?.set(daemon.retriesAt)
  }

  private func forget(_ why: String) {
    watch = nil
    asking = nil
    registration?.set(nil)
    forgetQuestions()
    notice?.show([])
    uses?.show([], pausedUntil: nil)
    if !hasSaidAway { log.notice("\(why); it is tried again and again") }
    hasSaidAway = true
  }

  private func handle(_ message: Message) {
    switch message {
    case .request(let id, let request): handle(request, id)
    case .reply(let id, .failure) where id == asking:
      // Somebody asks in a terminal: they are left to it until they end.
      asking = nil
      registration?.set(Clock.boottime + PersistentConnection.longestPause)
    case .reply(let id, .failure(let refusal)) where id == pausing:
      log.warning("location is not paused: \(refusal.message)")
    case .reply(_, .success):
      daemon.succeed()
      hasSaidAway = false
    // Somebody else answers for this user; their place may become free.
    case .reply(_, .failure(let refusal)):
      lose(
        "locationd takes no agent here: \(refusal.message)",
        for: PersistentConnection.longestPause)
    case .farewell, .event, .numbered, .unknown: break
    }
  }

  private func handle(_ request: AgentRequest, _ id: JSON?) {
    switch request {
    case .identify(let pid, let socket):
      answer(id, ProgramSight.look(at: pid, socket: socket))
    case .owner(let name):
      starter?.findOwner(of: name) { [unowned self] in answer(id, $0?.json) }
    case .launch(let app, let activation):
      starter?.start(app, activation) { [unowned self] in answer(id, $0 ? [:] : nil) }
    case .decide(let question):
      guard let id else { return }
      waiting.append((id, question))
      if waiting.count == 1 { askNext() }
    case .holding(let apps): notice?.show(apps)
    case .uses(let apps, let end, let services):
      uses?.show(apps, pausedUntil: end, besides: services)
    case .cancel(let number):
      guard let i = waiting.firstIndex(where: { $0.question.number == number }) else { return }
      waiting.remove(at: i)
      guard i == 0 else { return }
      desktop?.cancel()
      askNext()
    }
  }
}

extension Agent {
  /// For an hour.
  private func pause() {
    send { (daemon) throws(ConnectionError) in
      pausing = try daemon.send(.pause(PauseRequest()))
    }
  }

  private func answer(_ id: JSON?, _ result: JSON?) {
    guard let id else { return }
    send { (daemon) throws(ConnectionError) in
      try daemon.send(ClientAnswer(id: id, result: result))
    }
  }
}

// MARK: - The person

extension Agent {
  /// One question at a time.
  private func askNext() {
    guard let (_, question) = waiting.first, let desktop else { return }
    desktop.ask(question) { [unowned self] decision in
      guard waiting.first?.question.number == question.number else { return }
      let (id, _) = waiting.removeFirst()
      answer(id, decision?.json)
      askNext()
    }
  }
}
