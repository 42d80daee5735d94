import LocationClient
import LocationModel

/// A need of the app, for as long as the session is held: the person is asked when it begins.
///
/// Hold one while a feature is in use. `none` asks for nothing, and only says that the app asks by
/// itself.
public final class CLServiceSession: Sendable {
  public enum AuthorizationRequirement: Int, Hashable, Sendable {
    case none = 0
    case whenInUse = 1
    case always = 2
  }

  private let session: Session
  private let requirement: AuthorizationRequirement

  public convenience init(authorization: AuthorizationRequirement) {
    self.init(authorization, purposeKey: nil)
  }

  public convenience init(
    authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    self.init(authorization, purposeKey: fullAccuracyPurposeKey)
  }

  private init(_ requirement: AuthorizationRequirement, purposeKey: String?) {
    self.requirement = requirement
    let daemon = Daemon.current
    session = Session(daemon)
    switch requirement {
    case .none: break
    case .whenInUse: daemon.requestAuthorization(.authorizedWhenInUse)
    case .always: daemon.requestAuthorization(.authorizedAlways)
    }
    if let purpose = purposeKey.flatMap({ daemon.info.temporaryPurpose($0) }) {
      session.askFullAccuracy(purpose)
    }
  }

  /// The session ends, for good.
  public func invalidate() { session.end() }

  public var diagnostics: Diagnostics { Diagnostics(session: session, requirement: requirement) }

  public struct Diagnostic: Sendable {
    public internal(set) var authorizationDenied = false
    public internal(set) var authorizationDeniedGlobally = false
    public internal(set) var authorizationRestricted = false
    public internal(set) var insufficientlyInUse = false
    public internal(set) var fullAccuracyDenied = false
    public internal(set) var alwaysAuthorizationDenied = false
    public internal(set) var serviceSessionRequired = false
    public internal(set) var authorizationRequestInProgress = false
  }

  /// How the session fares: now, and whenever that changes.
  public final class Diagnostics: AsyncSequence, Sendable {
    public typealias Element = Diagnostic
    private let session: Session
    private let requirement: AuthorizationRequirement

    init(session: Session, requirement: AuthorizationRequirement) {
      self.session = session
      self.requirement = requirement
    }

    public func makeAsyncIterator() -> Iterator {
      Iterator(situations: session.situations(), requirement: requirement)
    }

    public struct Iterator: AsyncIteratorProtocol {
      var situations: AsyncStream<Situation>.Iterator
      let requirement: AuthorizationRequirement

      init(situations: AsyncStream<Situation>, requirement: AuthorizationRequirement) {
        self.situations = situations.makeAsyncIterator()
        self.requirement = requirement
      }

      public mutating func next() async throws -> Diagnostic? {
        try Task.checkCancellation()
        return await situations.next(isolation: #isolation).map { Diagnostic($0, requirement) }
      }
    }
  }
}

extension CLServiceSession.Diagnostic {
  fileprivate init(
    _ situation: Situation, _ requirement: CLServiceSession.AuthorizationRequirement
  ) {
    authorizationDenied = situation.isDenied
    authorizationDeniedGlobally = !situation.isEnabled
    authorizationRestricted = situation.isRestricted
    insufficientlyInUse = situation.isInsufficientlyInUse
    fullAccuracyDenied = situation.isLimited
    alwaysAuthorizationDenied =
      requirement == .always && !situation.isAsking
      && [.authorizedWhenInUse, .denied].contains(situation.standing.authorization)
    authorizationRequestInProgress = situation.isAsking
  }
}

/// Keeps the app in use though its user's session leaves the front, until it is invalidated or goes. It
/// takes effect where the app is in use, and lasts some hours at most.
public final class CLBackgroundActivitySession: Sendable {
  private let session: Session

  public init() {
    session = Session(.current)
    session.holdUse()
  }

  /// The session ends, for good.
  public func invalidate() { session.end() }

  public var diagnostics: Diagnostics { Diagnostics(session: session) }

  public struct Diagnostic: Sendable {
    public internal(set) var authorizationDenied = false
    public internal(set) var authorizationDeniedGlobally = false
    public internal(set) var authorizationRestricted = false
    public internal(set) var insufficientlyInUse = false
    public internal(set) var serviceSessionRequired = false
    public internal(set) var authorizationRequestInProgress = false
  }

  /// How the session fares: now, and whenever that changes.
  public final class Diagnostics: AsyncSequence, Sendable {
    public typealias Element = Diagnostic
    private let session: Session

    init(session: Session) {
      self.session = session
    }

    public func makeAsyncIterator() -> Iterator { Iterator(session.situations()) }

    public struct Iterator: AsyncIteratorProtocol {
      var situations: AsyncStream<Situation>.Iterator

      init(_ situations: AsyncStream<Situation>) {
        self.situations = situations.makeAsyncIterator()
      }

      public mutating func next() async throws -> Diagnostic? {
        try Task.checkCancellation()
        return await situations.next(isolation: #isolation).map { Diagnostic($0) }
      }
    }
  }
}

extension CLBackgroundActivitySession.Diagnostic {
  fileprivate init(_ situation: Situation) {
    authorizationDenied = situation.isDenied
    authorizationDeniedGlobally = !situation.isEnabled
    authorizationRestricted = situation.isRestricted
    insufficientlyInUse = situation.isInsufficientlyInUse
    authorizationRequestInProgress = situation.isAsking
  }
}

/// The common part of both kinds of session: a subscription that hears of the app's situation, until it
/// ends.
final class Session: Sendable {
  private let daemon: Daemon
  private let number: Int
  private let listeners: Listeners

  private final class Listeners: Sendable {
    struct State: HasOutbox {
      var outbox = Outbox()
      var last: Situation?
      var isOver = false
      var streams: [AsyncStream<Situation>.Continuation] = []
    }

    let state = Guarded(State())
  }

  init(_ daemon: Daemon) {
    self.daemon = daemon
    let listeners = Listeners()
    self.listeners = listeners
    number = daemon.subscribe(.stream) { delivery in
      guard case .authorizationChanged(let situation) = delivery.content else { return }
      listeners.state.withLock { state in
        state.last = situation
        for stream in state.streams { state.outbox.append { stream.yield(situation) } }
      }
    }
  }

  deinit { end() }

  func holdUse() { daemon.beginUse(number) }

  func askFullAccuracy(_ purpose: String) {
    guard daemon.standing().accuracy == .reduced else { return }
    daemon.requestFullAccuracy(purpose) { _ in }
  }

  func end() {
    daemon.unsubscribe(number)
    listeners.state.withLock { state in
      state.isOver = true
      for stream in state.streams { state.outbox.append { stream.finish() } }
      state.streams = []
    }
  }

  /// From now on; the first is how it is.
  func situations() -> AsyncStream<Situation> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Situation.self, bufferingPolicy: .bufferingNewest(16))
    listeners.state.withLock { state in
      if let last = state.last { state.outbox.append { continuation.yield(last) } }
      if state.isOver {
        state.outbox.append { continuation.finish() }
      } else {
        state.streams.append(continuation)
      }
    }
    return stream
  }
}

// Sequences say these of a situation.
extension Situation {
  var isDenied: Bool { standing.authorization == .denied }
  var isRestricted: Bool { standing.authorization == .restricted }
  var isLimited: Bool {
    standing.accuracy == .reduced && CLAuthorizationStatus(standing.authorization).isAuthorized
  }
  var isInsufficientlyInUse: Bool {
    standing.authorization == .authorizedWhenInUse && !isInUse
  }
  var needsSession: Bool { standing.authorization == .notDetermined && !isAsking }
}
