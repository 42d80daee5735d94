import Console
import LocationModel
import Platform
import ShareCore

/// Joins programs at the doors to the daemon: the daemon decides, the share speaks.
final class Share {
  private let loop: EventLoop
  private let log: Log
  private let reader: ConfigurationReader<Configuration>
  private var configuration: Configuration
  private var link: DaemonLink?
  private var doors: ShareDoors?
  private var readers: [Int64: any Reader] = [:]
  private var last: Int64 = 0
  /// Readers of which the daemon has heard that they watch.
  private var watched: Set<Int64> = []
  private let words = ReceiverWords()
  private let backlog = Backlog()
  private var signals: [EventLoop.SignalWatch] = []
  /// Says each second that there is no fix, while one who reads may know.
  private var beat: EventLoop.Timer?
  private var isBeating = false
  private var pace = FixPace()
  private var dropped = 0
  // Programs can cause these lines; they fill no journal.
  private var slowLines = HourlyLines()
  private var refusalLines = HourlyLines()
  private var failureLines = HourlyLines()

  /// Connections of all users; each user has fewer, by the daemon's count.
  private static let mostConnections = 2048
  private static let second: Duration = .seconds(1)

  init(
    _ configuration: Configuration, _ log: Log, reader: ConfigurationReader<Configuration>
  ) throws(SystemError) {
    self.configuration = configuration
    self.log = log
    self.reader = reader
    loop = try EventLoop()
    link = try DaemonLink(at: configuration.daemon, on: loop, log) { [unowned self] in handle($0) }
    doors = try ShareDoors(configuration, on: loop, log) { [unowned self] in accept($1, at: $0) }
    beat = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      tellNoFix()
    }
    addLines(configuration)
    if doors?.isEmpty == true, readers.values.allSatisfy({ $0 is NetworkLine }) {
      log.notice(
        "no door is open: enable a socket, or name one in the configuration; see locationd-share(8)"
      )
    }
    signals = try loop.watchSignals { [unowned self] in
      loop.end(log)
      loop.stop()
    } reload: { [unowned self] in
      reload()
    }
    link?.open()
    log.info("locationd-share \(version) is ready")
  }

  func run() throws(SystemError) { try loop.serve() }

  private func nextNumber() -> Int64 {
    last += 1
    return last
  }

  /// An administrator's lines, which know no caller.
  private func addLines(_ configuration: Configuration) {
    for place in configuration.nmea {
      switch place {
      case .udp(let address):
        addLine { (number) throws(SystemError) in try DatagramReader(number, address) }
      case .pty(let path):
        addLine { (number) throws(SystemError) in
          try TerminalReader(number, at: path, mode: configuration.mode)
        }
      case .tcp, .unix: break
      }
    }
    if let path = configuration.chrony {
      addLine { (number) throws(SystemError) in try ChronyReader(number, at: path, log) }
    }
    allow(configuration.allowed)
  }

  /// A line that cannot be ends no other.
  private func addLine<Line: Reader>(_ make: (Int64) throws(SystemError) -> Line) {
    do throws(SystemError) { add(try make(nextNumber())) } catch { log.warning("\(error)") }
  }

  /// Networks and the log's level hold at once; sockets and lines need a restart.
  private func reload() {
    reader.reload(log) { new in
      var same = new
      same.allowed = configuration.allowed
      same.logLevel = configuration.logLevel
      if same != configuration {
        log.warning("other doors are used only after a restart")
      }
      log.level = new.logLevel
      configuration.logLevel = new.logLevel
      allow(new.allowed)
    }
  }

  /// A network is a line; without it, its programs are let go at once.
  private func allow(_ networks: [NetworkRange]) {
    configuration.allowed = networks
    let lines = inOrder.compactMap { $0 as? NetworkLine }
    for line in lines where !networks.contains(line.network) { remove(line) }
    for network in networks
    where !readers.values.contains(where: { ($0 as? NetworkLine)?.network == network }) {
      add(NetworkLine(nextNumber(), network))
    }
    for case let connection as ClientConnection in inOrder {
      guard let socket = connection.socket, !mayCome(socket) else { continue }
      socket.descriptor.cut()
      remove(connection)
    }
  }
}

// MARK: - Programs come and go

extension Share {
  private func accept(_ descriptor: consuming Descriptor, at door: ShareDoorKind) {
    guard readers.count < Self.mostConnections else { return }
    let socket = ClientSocket(descriptor)
    guard mayCome(socket) else { return }
    do throws(SystemError) {
      let connection = try ClientConnection(
        nextNumber(), door, socket, words, backlog, on: loop
      ) { [unowned self] in
        handle($1, of: $0)
      }
      add(connection)
    } catch {
      if failureLines.mayTell(at: Clock.boottime) { log.warning("\(error)") }
    }
  }

  /// The program is of this machine, or of a network that an administrator names.
  private func mayCome(_ socket: ClientSocket) -> Bool {
    guard let host = socket.descriptor.peerHost() else { return true }
    return NetworkRange.isLoopback(host) || configuration.allowed.contains { $0.contains(host) }
  }

  private func add(_ reader: some Reader) {
    readers[reader.number] = reader
    introduce(reader)
  }

  /// The reader is unknown while the daemon is not there: it is told nothing.
  private func introduce(_ reader: some Reader) {
    guard let link, link.isOpen else { return reader.admit(nil) }
    link.introduce(reader.number, reader.door, place: reader.place, reader.socket)
  }

  private func handle(_ event: ClientConnection.Event, of connection: ClientConnection) {
    switch event {
    case .watches:
      tellWatch(connection)
      setBeat()
    case .slow: letGo(connection)
    case .full: while backlog.isFull, let fullest { letGo(fullest) }
    case .gone, .foreign: remove(connection)
    }
  }

  /// Ends a program's connection: it does not read what it is told.
  private func letGo(_ connection: ClientConnection) {
    dropped += 1
    if slowLines.mayTell(at: Clock.boottime) {
      log.notice("a program that does not read what it is told is let go; \(dropped) so far")
    }
    // The kernel would keep what waits there.
    connection.socket?.descriptor.cut()
    remove(connection, isSlow: true)
  }

  private var fullest: ClientConnection? {
    var slow = SlowReaders()
    for case let connection as ClientConnection in readers.values {
      slow.add(connection.number, of: connection.user, holding: connection.held)
    }
    return slow.first.flatMap { readers[$0] as? ClientConnection }
  }

  private func remove(_ reader: some Reader, isSlow: Bool = false) {
    reader.end()
    watched.remove(reader.number)
    guard readers.removeValue(forKey: reader.number) != nil else { return }
    link?.close(reader.number, isSlow: isSlow)
  }

  /// Says once that the reader begins or ceases to watch.
  private func tellWatch(_ reader: some Reader) {
    let (number, isOn) = (reader.number, reader.isWatching)
    guard let link, link.isOpen, isOn != watched.contains(number) else { return }
    if isOn { watched.insert(number) } else { watched.remove(number) }
    link.watch(number, isOn: isOn)
  }
}

// MARK: - What the daemon says

extension Share {
  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .opened: for reader in inOrder { introduce(reader) }
    case .welcomed(let client, .success(let access)):
      guard let reader = readers[client] else { return }
      reader.admit(access)
      tellWatch(reader)
      setBeat()
    case .welcomed(let client, .failure(let refusal)):
      refused(client, refusal.message)
    case .told(let notice): handle(notice)
    case .lost:
      words.forget()
      watched = []
      for reader in inOrder {
        reader.stop()
        reader.admit(nil)
      }
    }
  }

  private func refused(_ client: Int64, _ message: String) {
    guard let connection = readers[client] as? ClientConnection else {
      // An administrator's line is to be seen.
      return log.warning("\(readers[client]?.place ?? "a line") is not told: \(message)")
    }
    if refusalLines.mayTell(at: Clock.boottime) { log.info("a program is refused: \(message)") }
    remove(connection)
  }

  private var inOrder: [any Reader] { readers.keys.sorted().compactMap { readers[$0] } }

  private func handle(_ notice: ShareNotice) {
    switch notice {
    case .fix(let clients, let epoch):
      let now = Clock.boottime
      pace.note(at: now)
      words.note(epoch, at: now)
      for client in clients { readers[client]?.tell(words, epoch) }
    case .heading(let clients, let heading):
      let texts = HeadingWords(heading)
      for client in clients { readers[client]?.tell(texts) }
    case .access(let client, let access): readers[client]?.admit(access)
    case .stop(let client): readers[client]?.stop()
    }
  }

  private func setBeat() {
    guard !isBeating, readers.values.contains(where: \.isWatching) else { return }
    isBeating = true
    beat?.set(Clock.boottime + Self.second)
  }

  private func tellNoFix() {
    isBeating = false
    if pace.isMissing(at: Clock.boottime) {
      words.noteNoFix()
      for reader in inOrder where reader.isWatching { reader.tellNoFix(words) }
    }
    setBeat()
  }
}
