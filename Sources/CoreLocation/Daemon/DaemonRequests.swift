import LocationClient
import LocationModel

// Managers, streams and monitors ask these of the daemon.
extension Daemon {
  func subscribe(
    _ kind: Subscription.Kind, _ deliver: @escaping @Sendable (NumberedDelivery) -> Void
  ) -> Int {
    connect()
    return state.withLock { state in
      state.lastNumber += 1
      state.subscriptions[state.lastNumber] = Subscription(kind, deliver)
      let number = state.lastNumber
      if case .manager = kind { return number }
      tellSituation(to: number, &state)
      routeWaiting(&state)
      return number
    }
  }

  /// Its services end; what the daemon keeps for the app stays.
  func unsubscribe(_ number: Int) {
    state.withLock { state in
      guard let gone = state.subscriptions.removeValue(forKey: number) else { return }
      if gone.standard?.isSent == true { state.send(.stopUpdatingLocation, manager: number) }
      if gone.heading?.isSent == true { state.send(.stopUpdatingHeading, manager: number) }
      for constraint in gone.ranging.filter(\.value).keys.sorted() {
        state.send(.stopRangingBeacons(constraint), manager: number)
      }
      state.events.leave(number)
      routeWaiting(&state)
      acknowledge(&state)
    }
    endUse(number)
  }

  /// Somebody listens to the manager from now on, and is told first what it may do.
  func listen(_ number: Int, isNew: Bool) {
    state.withLock { state in
      state.subscriptions[number]?.kind = .manager(hasDelegate: true)
      if isNew { state.subscriptions[number]?.lastSituation = nil }
      tellSituation(to: number, &state)
      routeWaiting(&state)
    }
  }

  func stopListening(_ number: Int) {
    state.withLock { $0.subscriptions[number]?.kind = .manager(hasDelegate: false) }
  }

  func setStandard(_ request: StandardRequest?, of number: Int) {
    set(\.standard, to: request, of: number, stop: .stopUpdatingLocation)
  }

  func setHeading(_ request: HeadingRequest?, of number: Int) {
    set(\.heading, to: request, of: number, stop: .stopUpdatingHeading)
  }

  private func set<Value>(
    _ wish: WritableKeyPath<Subscription, Subscription.Wish<Value>?>, to value: Value?,
    of number: Int, stop: Request
  ) {
    state.withLock { state in
      let wasSent = state.subscriptions[number]?[keyPath: wish]?.isSent == true
      state.subscriptions[number]?[keyPath: wish] = value.map { Subscription.Wish(value: $0) }
      if value == nil, wasSent { state.send(stop, manager: number) }
      handleWish(of: number, &state)
    }
  }

  func setChanges(_ isWanted: Bool, of number: Int) {
    set(
      \.wantsChanges, to: isWanted, of: number, follows: \.followsChanges, .significant)
  }

  func setVisits(_ isWanted: Bool, of number: Int) {
    set(\.wantsVisits, to: isWanted, of: number, follows: \.followsVisits, .visits)
  }

  private func set(
    _ wants: WritableKeyPath<Subscription, Bool>, to isWanted: Bool, of number: Int,
    follows: WritableKeyPath<DaemonState, Bool>, _ service: Service
  ) {
    state.withLock { state in
      state.subscriptions[number]?[keyPath: wants] = isWanted
      if state.subscriptions.values.contains(where: { $0[keyPath: wants] }) {
        state.unfollowed.remove(service)
      } else {
        state[keyPath: follows] = false
        state.unfollowed.insert(service)
        if state.isOpen { unfollow(service, &state) }
      }
      handleWish(of: number, &state)
      routeWaiting(&state)
    }
  }

  /// A daemon that is away is told once it is back.
  func unfollow(_ service: Service, _ state: inout DaemonState) {
    let stop: Request =
      service == .visits ? .stopMonitoringVisits : .stopMonitoringSignificantLocationChanges
    state.send(stop) { [weak self] answer in
      if case .failure(.lost) = answer { return }
      self?.state.withLock { _ = $0.unfollowed.remove(service) }
    }
  }

  /// The number of the request, by which its end is known.
  func requestLocation(_ request: OneShotRequest, of number: Int) -> Int {
    state.withLock { state in
      state.lastSingle += 1
      state.subscriptions[number]?.single = Subscription.Single(
        id: state.lastSingle, request: request)
      let id = state.lastSingle
      handleWish(of: number, &state)
      return id
    }
  }

  func cancelLocation(of number: Int) {
    state.withLock { $0.subscriptions[number]?.single = nil }
  }

  /// A wish of a subscription is new.
  private func handleWish(of number: Int, _ state: inout DaemonState) {
    if state.link == .lost {
      let isShort = state.goneSince.map { .now - $0 < Self.restart } ?? false
      if !isShort { tellLoss(number, &state) }
    }
    reconcile(number, &state)
    reconcileEvents(&state)
  }

  /// Tells the daemon all that it has not been told on this connection, as far as the app may want it
  /// now.
  func reconcile(_ state: inout DaemonState) {
    for number in state.subscriptions.keys.sorted() { reconcile(number, &state) }
    reconcileEvents(&state)
  }

  private func reconcile(_ number: Int, _ state: inout DaemonState) {
    guard state.isOpen, let standing = state.standing,
      let subscription = state.subscriptions[number]
    else { return }
    if let wish = subscription.standard, !wish.isSent {
      state.subscriptions[number]?.standard?.isSent = true
      state.send(.startUpdatingLocation(wish.value), manager: number) { [weak self] in
        self?.end($0, of: number, .locationUnknown, \.standard)
      }
    }
    if let wish = subscription.heading, !wish.isSent {
      state.subscriptions[number]?.heading?.isSent = true
      state.send(.startUpdatingHeading(wish.value), manager: number) { [weak self] in
        self?.end($0, of: number, .headingFailure, \.heading)
      }
    }
    reconcileRanging(of: number, &state)
    if let single = subscription.single, !single.isSent {
      begin(single, of: number, standing, &state)
    }
  }

  /// The daemon keeps these for the app, rather than for a manager.
  private func reconcileEvents(_ state: inout DaemonState) {
    guard state.isOpen, state.standing?.authorization == .authorizedAlways else { return }
    if !state.followsChanges, state.subscriptions.values.contains(where: \.wantsChanges) {
      state.followsChanges = true
      state.send(.startMonitoringSignificantLocationChanges) { [weak self] in
        self?.refuse($0, where: \.wantsChanges)
      }
    }
    if !state.followsVisits, state.subscriptions.values.contains(where: \.wantsVisits) {
      state.followsVisits = true
      state.send(.startMonitoringVisits) { [weak self] in
        self?.refuse($0, where: \.wantsVisits)
      }
    }
  }

  private func end<Value>(
    _ answer: AsyncConnection.Answer, of number: Int, _ other: CLError.Code,
    _ wish: any WritableKeyPath<Subscription, Subscription.Wish<Value>?> & Sendable
  ) {
    guard case .failure(.refused(let refusal)) = answer else { return }
    state.withLock { state in
      guard state.subscriptions[number]?[keyPath: wish] != nil else { return }
      state.subscriptions[number]?[keyPath: wish]?.isSent = false
      state.deliver(.failed(CLError(refusal, other: other)), to: number)
    }
  }

  private func refuse(
    _ answer: AsyncConnection.Answer,
    where isWanted: any KeyPath<Subscription, Bool> & Sendable
  ) {
    guard case .failure(.refused(let refusal)) = answer else { return }
    state.withLock { state in
      for (number, subscription) in state.subscriptions where subscription[keyPath: isWanted] {
        state.deliver(.failed(CLError(refusal, other: .locationUnknown)), to: number)
      }
    }
  }

  /// A single request waits as long as a person is being asked.
  private func begin(
    _ single: Subscription.Single, of number: Int, _ standing: Standing,
    _ state: inout DaemonState
  ) {
    if standing.authorization == .notDetermined, state.asked != nil { return }
    state.subscriptions[number]?.single?.isSent = true
    state.send(.requestLocation(single.request), manager: number) { [weak self] answer in
      self?.state.withLock { state in
        guard state.subscriptions[number]?.single?.id == single.id else { return }
        switch answer {
        // It is asked again when there is a daemon.
        case .failure(.lost): return
        case .success(let reply):
          let unknown = CLError(.locationUnknown, "No location is known.")
          state.subscriptions[number]?.single = nil
          state.deliver(
            .single(single.id, reply.location.map { .success($0) } ?? .failure(unknown)),
            to: number)
        // The person has not answered yet.
        case .failure
        where state.asked != nil && state.standing?.authorization == .notDetermined:
          state.subscriptions[number]?.single?.isSent = false
        case .failure(.refused(let refusal)):
          state.subscriptions[number]?.single = nil
          let error = CLError(refusal, other: .locationUnknown)
          state.deliver(.single(single.id, .failure(error)), to: number)
        }
      }
    }
  }
}

extension Daemon {
  /// Something that the library knows by itself, in turn with what the daemon says.
  func tell(_ delivery: Delivery, to number: Int) {
    state.withLock { $0.deliver(delivery, to: number) }
  }
}
