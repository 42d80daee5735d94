import Glibc
import LocationCore
import LocationModel
import Platform

/// Joins the service to the machine: what happens becomes an input, what comes out is done.
final class Daemon {
  private let loop: EventLoop
  private let log: Log
  private var service: LocationService
  private var sources: [any Source] = []
  private var door: SocketDoor?
  private var timer: EventLoop.Timer?
  private var signals: [EventLoop.SignalWatch] = []

  private var inbox: [Input] = []
  private var outputs: [Output] = []
  private var isHandling = false

  init(_ options: Options, _ log: Log) throws(SystemError) {
    self.log = log
    loop = try EventLoop()
    service = LocationService(
      .init(
        version: version, uid: Process.uid,
        sources: options.sources.map { (name: $0.name, simulated: $0.isSimulated) }),
      at: .now)

    let report: (Input) -> Void = { [unowned self] in post($0) }
    let resolver = try Resolver(on: loop)
    for (number, url) in options.sources.enumerated() {
      sources.append(
        try makeSource(url, id: SourceID(number), with: resolver, on: loop, post: report))
    }
    door = try SocketDoor(path: options.socket, on: loop, log, post: report)
    timer = try EventLoop.Timer(slack: 10_000_000, on: loop) { [unowned self] in post(.timer) }
    for number in [SIGTERM, SIGINT] {
      signals.append(
        try EventLoop.SignalWatch(number, on: loop) { [unowned self] in
          self.log.info("stopping")
          loop.stop()
        })
    }
    if sources.isEmpty { log.warning("no source is given, so there will be no location") }
    log.info("locationd \(version) listens on \(options.socket)")
  }

  func run() throws(SystemError) {
    try loop.feedWatchdog()
    Process.notify("READY=1")
    try loop.run()
    Process.notify("STOPPING=1")
  }

  /// What comes while something is being done waits its turn.
  private func post(_ input: Input) {
    inbox.append(input)
    guard !isHandling else { return }
    isHandling = true
    var next = 0
    while next < inbox.count {
      service.handle(inbox[next], at: .now, into: &outputs)
      next += 1
      for output in outputs { perform(output) }
      outputs.removeAll(keepingCapacity: true)
    }
    inbox.removeAll(keepingCapacity: true)
    isHandling = false
  }

  private func perform(_ output: Output) {
    switch output {
    case .tell(let recipients, let event): door?.tell(recipients, event)
    case .answer(let client, let id, .status(var status)):
      status.count(sources)
      door?.answer(client, id, .status(status))
    case .answer(let client, let id, let reply): door?.answer(client, id, reply)
    case .refuse(let client, let id, let refusal): door?.refuse(client, id, refusal)
    case .hangUp(let client): door?.hangUp(client)
    case .open(let source): sources[source.number].open()
    case .close(let source): sources[source.number].close()
    case .wake(let boottime): timer?.set(boottime)
    }
  }
}

extension Status {
  /// Adds what only the sources know, for those who may see them.
  fileprivate mutating func count(_ sources: [any Source]) {
    for (i, source) in sources.enumerated() where self.sources?.indices.contains(i) == true {
      self.sources?[i].counters = source.counters?.json
    }
  }
}

extension Instant {
  static var now: Instant {
    Instant(
      boottime: Clock.boottime, utc: Timestamp(microseconds: Clock.utc), utcTrusted: Clock.isSet)
  }
}
