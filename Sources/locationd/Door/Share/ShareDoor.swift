import LocationCore
import LocationModel
import Platform

/// The programs at locationd-share's doors: each is a client of its own. The share is told each event once, with the
/// numbers that it gave to those whom it is for.
final class ShareDoor: Door {
  private let identifier: Identifier
  private let log: Log
  private let post: (Input) -> Void
  private let sky: (SourceID) -> [Satellite]
  /// A source reads what is told there; a connection of a source's ends.
  private let isLoop: (WayBack) -> Bool
  /// An agent answers for the user.
  private let hasAgent: (UInt32) -> Bool
  private var programs: [UInt64: SharedProgram] = [:]
  private var last: UInt64 = 0
  /// Programs that did not read, and were let go.
  private(set) var slow = 0
  /// The reading that is handled now.
  private var reading: (fix: Fix, source: SourceID)?
  private var skies = ToldSkies()
  private var refusals = ToldRefusals()
  private var line = TextBuffer()

  /// The most programs of one user, all doors together; lines without callers count, too.
  private static let mostPerUser = 256

  init(
    _ identifier: Identifier, _ log: Log, post: @escaping (Input) -> Void,
    sky: @escaping (SourceID) -> [Satellite], isLoop: @escaping (WayBack) -> Bool,
    hasAgent: @escaping (UInt32) -> Bool
  ) {
    self.identifier = identifier
    self.log = log
    self.post = post
    self.sky = sky
    self.isLoop = isLoop
    self.hasAgent = hasAgent
  }

  static let notForYou = Refusal(
    .denied, "Only locationd-share's own unit hands over connections of other programs.")

  /// Keeps the fix that the next locations come from.
  func note(_ fix: Fix, of source: SourceID) {
    if !programs.isEmpty { reading = (fix, source) }
  }
}

// MARK: - The share's requests

extension ShareDoor {
  func handle(
    _ request: ShareRequest, _ id: JSON, from share: LineConnection, _ caller: Caller
  ) throws(Refusal) {
    switch request {
    case .client(let number, let door, let place):
      try welcome(number, door, place, id, from: share, caller)
    case .watch(let number, let isOn):
      guard let (key, program) = find(number, of: share) else { throw Self.unknownClient }
      answer(share, id, [:])
      watch(key, program, isOn: isOn)
    case .close(let number, let isSlow):
      guard let (key, _) = find(number, of: share) else { throw Self.unknownClient }
      if isSlow { slow += 1 }
      answer(share, id, [:])
      remove(key)
    }
  }

  private static let itself = Refusal(
    .denied, "A source of locationd's hears there what locationd-share tells from here.")
  private static let unknownClient = Refusal(.invalidParameters, "There is no such client.")

  private func find(
    _ number: Int64, of share: LineConnection
  ) -> (key: UInt64, program: SharedProgram)? {
    programs.first { $0.value.share === share && $0.value.number == number }
      .map { ($0.key, $0.value) }
  }

  private func welcome(
    _ number: Int64, _ door: ShareDoorKind, _ place: String?, _ id: JSON,
    from share: LineConnection, _ sharer: Caller
  ) throws(Refusal) {
    // A door without callers has nothing to hand over.
    let connection = place == nil ? share.nextDescriptor() : nil
    guard find(number, of: share) == nil else {
      throw Refusal(.invalidParameters, "There is such a client already.")
    }
    let caller: Caller
    if let connection {
      let peer = connection.descriptor.connectionPeer()
      if let way = WayBack(from: peer, of: connection.descriptor), isLoop(way) { throw Self.itself }
      caller = try identifier.identify(peer, of: connection.descriptor, by: sharer, hasAgent)
    } else {
      guard place != nil else {
        throw Refusal(.invalidParameters, "A descriptor of the connection is missing.")
      }
      if place.flatMap(WayBack.init(line:)).map(isLoop) == true { throw Self.itself }
      caller = Caller(lineOf: sharer)
    }
    let ofUser = programs.values.count { $0.caller.uid == caller.uid }
    guard ofUser < Self.mostPerUser else {
      throw Refusal(
        .limitExceeded,
        "\(ofUser) programs of uid \(caller.uid) are connected to locationd-share already.")
    }
    last += 1
    let program = SharedProgram(number, of: share, caller, connection, place, call: id)
    programs[last] = program
    let client = ClientID(last, at: .share)
    post(.connected(client, caller))
    let name =
      caller.entry != .line
      ? door.name : place.map { "everyone at \($0)" } ?? "a program at another machine"
    call(client, "hello", .hello(.init(name: name, purpose: "for programs that know \(door.name)")))
  }

  private func watch(_ key: UInt64, _ program: SharedProgram, isOn: Bool) {
    guard program.isWatching != isOn else { return }
    program.isWatching = isOn
    let client = ClientID(key, at: .share)
    guard isOn else {
      program.isTold = false
      call(client, nil, .stopUpdatingLocation)
      return setHeading(client, program)
    }
    start(client, program)
    if program.access?.authorization == .notDetermined { ask(client, program) }
  }

  /// Starts the updates of a program that watches, again once it is allowed.
  private func start(_ client: ClientID, _ program: SharedProgram) {
    var request = StandardRequest()
    request.isForReceiver = true
    call(client, "start", .startUpdatingLocation(request))
    setHeading(client, program)
  }

  /// A question waits for its answer, however often the program begins to watch.
  private func ask(_ client: ClientID, _ program: SharedProgram) {
    guard !program.isAsking else { return }
    program.isAsking = true
    call(client, "ask", .requestAuthorization(.authorizedWhenInUse))
  }

  private func setHeading(_ client: ClientID, _ program: SharedProgram) {
    let isWanted = program.isWatching && program.access?.mayKnow == true
    guard isWanted != program.hasHeading else { return }
    program.hasHeading = isWanted
    call(
      client, nil,
      isWanted ? .startUpdatingHeading(HeadingRequest(headingFilter: -1)) : .stopUpdatingHeading)
  }

  private func call(_ client: ClientID, _ id: JSON?, _ request: Request) {
    post(.called(client, Call(id: id, request)))
  }

  private func remove(_ key: UInt64) {
    guard programs.removeValue(forKey: key) != nil else { return }
    post(.gone(ClientID(key, at: .share)))
  }

  /// Ends the lines that a source hears, after the sources have changed.
  func endLoops() {
    for (key, program) in programs {
      guard program.place.flatMap(WayBack.init(line:)).map(isLoop) == true else { continue }
      log.warning("\(program.place ?? "") is not told: \(Self.itself.message)")
      send(
        .access(client: program.number, program.admit(.denied, .full)), to: program.share)
      remove(key)
    }
  }

  /// The share is gone, and all its programs with it.
  func closed(_ share: LineConnection) {
    for (key, program) in programs where program.share === share { remove(key) }
    skies.forget(share.number)
  }
}

// MARK: - What the service says

extension ShareDoor {
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    if programs.isEmpty { return }
    switch event {
    case .didUpdateLocations(let location, .standard):
      tell(recipients) { [self] in .fix(clients: $1, epoch(location, for: $0)) }
    case .didUpdateHeading(let heading):
      tell(recipients.filter { program(of: $0.client)?.isTold == true }) { (_, numbers) in
        .heading(clients: numbers, heading)
      }
    case .didChangeAuthorization(let authorization, let accuracy):
      for recipient in recipients { change(recipient.client, authorization, accuracy) }
    default: break
    }
  }

  private func program(of client: ClientID) -> SharedProgram? {
    client.door == .share ? programs[client.count] : nil
  }

  /// Sends each share one line for all its programs.
  private func tell(
    _ recipients: [Recipient], _ notice: (LineConnection, [Int64]) -> ShareNotice
  ) {
    var rest: [(share: LineConnection, numbers: [Int64])] = []
    for recipient in recipients {
      guard let program = program(of: recipient.client) else { continue }
      program.isTold = true
      if let i = rest.firstIndex(where: { $0.share === program.share }) {
        rest[i].numbers.append(program.number)
      } else {
        rest.append((program.share, [program.number]))
      }
    }
    for (share, numbers) in rest { send(notice(share, numbers), to: share, hasPlace: true) }
  }

  private func epoch(_ location: Location, for share: LineConnection) -> SharedEpoch {
    guard let (fix, source) = reading, fix.location.timestamp == location.timestamp else {
      return SharedEpoch(Fix(location))
    }
    var epoch = SharedEpoch(fix)
    epoch.fix.location = location
    epoch.satellites = skies.news(for: share.number, at: Clock.boottime) { sky(source) }
    return epoch
  }

  private func change(
    _ client: ClientID, _ authorization: Authorization, _ accuracy: AccuracyAuthorization
  ) {
    guard let program = program(of: client) else { return }
    let couldKnow = program.access?.mayKnow == true
    let access = program.admit(authorization, accuracy)
    refusals.forget(program.caller.owner, if: authorization)
    send(.access(client: program.number, access), to: program.share)
    let isOpen = authorization == .notDetermined
    if program.isWatching, access.mayKnow || isOpen, !couldKnow {
      start(client, program)
      // The program began to watch while location was switched off, or was denied until now.
      if isOpen { ask(client, program) }
    } else {
      setHeading(client, program)
    }
    // The program gets nothing more, whatever the share has still to send.
    if couldKnow, !access.mayKnow { program.connection?.descriptor.cut() }
  }

  func purge(_ client: ClientID) {
    guard let program = program(of: client) else { return }
    program.isTold = false
    if !program.share.purge() { program.connection?.descriptor.cut() }
    send(.stop(client: program.number), to: program.share)
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    guard let program = program(of: client) else { return }
    switch reply {
    case .hello(let greeting):
      let access = program.admit(greeting.authorization, greeting.accuracy)
      answer(program.share, program.call, access.json)
    case .authorization: program.isAsking = false
    default: break
    }
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    guard let program = program(of: client) else { return }
    if id == "ask" { program.isAsking = false }
    // Too many that wait for one answer are no refusal of the app.
    guard refusal.code != .limitExceeded else { return }
    let isUndecided = program.access?.authorization == .notDetermined
    if refusals.isNew(of: program.caller.owner, isUndecided: isUndecided, at: Clock.boottime) {
      log.notice("\(refusal.message(asking: nil))")
    }
  }

  func hangUp(_ client: ClientID) { program(of: client)?.connection?.descriptor.cut() }

  func rename(_ client: ClientID, to caller: Caller) { program(of: client)?.caller = caller }

  private func answer(_ share: LineConnection, _ id: JSON, _ result: JSON) {
    share.send(.success(result), id: id)
  }

  private func send(_ notice: ShareNotice, to share: LineConnection, hasPlace: Bool = false) {
    line.removeAll()
    line.append(notice)
    share.send(line.bytes, hasPlace: hasPlace)
  }
}

extension ShareDoorKind {
  fileprivate var name: String {
    switch self {
    case .gpsd: "gpsd's words"
    case .nmea: "NMEA"
    case .chrony: "chrony's samples"
    }
  }
}
