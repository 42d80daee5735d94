import DBus
import LocationCore
import LocationModel
import Platform

/// One client object: its owner's wishes, and what it waits for.
final class ClientObject {
  let caller: BusCaller
  let path: String
  let session: ServiceSession
  private unowned let bus: BusConnection
  private let listener: BusListener
  private(set) var object: BusObject?

  var wishes = StandardRequest()
  var headingWishes = HeadingRequest()
  var isUpdating = false
  var isUpdatingHeading = false
  /// The newest that it was told.
  private(set) var heading: Heading?
  private(set) var authorization = Authorization.notDetermined
  private(set) var accuracy = AccuracyAuthorization.reduced
  private var authorizationsTold = 0

  init(
    of caller: BusCaller, at path: String, _ session: ServiceSession, on bus: BusConnection,
    overflowing: @escaping () -> Void
  ) throws(BusError) {
    self.caller = caller
    self.path = path
    self.session = session
    self.bus = bus
    listener = try BusListener(caller.name, of: path, on: bus, overflowing: overflowing)
    object = BusObject(path, owner: caller.name, target: self, [Client1.interface])
  }

  func begin(_ introduction: Request.Introduction) {
    session.begin(as: caller.caller)
    session.ask(.hello(introduction)) { [unowned self] answer in
      guard case .success(.hello(let greeting)) = answer else { return }
      (authorization, accuracy) = (greeting.authorization, greeting.accuracy)
    }
  }

  func send(_ signal: BusSignal, kind: Int? = nil) {
    listener.send(signal, kind: kind)
  }

  func purge() {
    listener.purge()
    heading = nil
  }

  func note(_ event: Event) {
    switch event {
    case .didUpdateHeading(let heading): self.heading = heading
    case .didChangeAuthorization(let authorization, let accuracy):
      (self.authorization, self.accuracy) = (authorization, accuracy)
      authorizationsTold += 1
      changed(Client1.authorization)
    default: break
    }
  }

  /// The services that run go on with the wishes as they are now.
  func wishAgain() {
    if isUpdating { session.ask(.startUpdatingLocation(wishes)) }
    if isUpdatingHeading { session.ask(.startUpdatingHeading(headingWishes)) }
  }

  /// Tells its owner of properties that have changed.
  func changed(_ names: [String]) {
    guard let object else { return }
    try? bus.propertiesChanged(names, of: Client1.name, on: object)
  }
}

// MARK: - Questions

extension ClientObject {
  /// The call is answered when the request is.
  func ask(
    _ request: Request, for call: BusInvocation, refused: @escaping () -> Void = {}
  ) {
    session.ask(request) { answer in
      switch answer {
      case .success: call.answer([])
      case .failure(let refusal):
        refused()
        call.refuse(BusError(refusal))
      }
    }
  }

  func askForLocation(_ request: OneShotRequest, for call: BusInvocation) {
    begin(.requestLocation(request), for: call) { [unowned self] answer in
      switch answer {
      case .success(.location(let location?)): deliver(.didUpdateLocations(location, .standard))
      case .success: break
      case .failure(let refusal): deliver(.didFail(refusal))
      }
    }
  }

  /// The outcome is told by DidChangeAuthorization, also where nothing has changed.
  func askPerson(_ request: Request, for call: BusInvocation) {
    let before = authorizationsTold
    begin(request, for: call) { [unowned self] _ in
      if authorizationsTold == before { deliver(.didChangeAuthorization(authorization, accuracy)) }
    }
  }

  /// The call is answered at once, unless the request is refused at once; what comes of it later is
  /// told otherwise. Most callers wait for an answer for half a minute only.
  private func begin(
    _ request: Request, for call: BusInvocation, ended: @escaping (ServiceSession.Answer) -> Void
  ) {
    var isTaken = false
    session.ask(request) { answer in
      if case .failure(let refusal) = answer, !isTaken { return call.refuse(BusError(refusal)) }
      if !isTaken { call.answer([]) }
      isTaken = true
      ended(answer)
    }
    // An answer that was given is not given again.
    call.answer([])
    isTaken = true
  }

  var location: Location? {
    if case .location(let location) = session.requestNow(.location) { location } else { nil }
  }

  func deliver(_ event: Event) {
    if let signal = try? Client1.signal(event, 0) { send(signal) }
  }
}
