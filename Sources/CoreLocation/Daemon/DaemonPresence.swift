import Dispatch
import LocationClient
import LocationModel

// The daemon comes, and goes.
extension Daemon {
  func greet(_ state: inout DaemonState) {
    state.link = .opening
    state.knowsRegions = false
    let introduction = Request.Introduction(
      name: info.name, purpose: info.purpose(.authorizedWhenInUse))
    // The regions come first, so that no event is about one that is not known.
    listRegions(after: nil, [:], &state)
    state.send(.hello(introduction)) { [weak self] answer in
      guard case .success(.hello(let greeting)) = answer else { return }
      self?.state.withLock { self?.open(greeting, &$0) }
    }
    askStatus(&state)
  }

  /// The administrator's switch looks like a denial, and the end of use like nothing at all.
  func askStatus(_ state: inout DaemonState) {
    state.send(.status) { [weak self] answer in
      guard case .success(.status(let status)) = answer else { return }
      self?.state.withLock { state in
        state.isEnabled = status.isEnabled
        state.isInUse = status.client.isInUse
        self?.tellSituation(&state)
      }
    }
  }

  private func listRegions(
    after identifier: String?, _ before: [String: Region], _ state: inout DaemonState
  ) {
    state.send(.monitoredRegions(after: identifier, limit: 1000)) { [weak self] answer in
      guard let self, case .success(.regions(let page, let more)) = answer else { return }
      var regions = before
      for region in page { regions[region.identifier] = region }
      self.state.withLock { state in
        if more, let last = page.last?.identifier {
          self.listRegions(after: last, regions, &state)
        } else {
          self.restore(regions, &state)
        }
      }
    }
  }

  /// The daemon says which regions of the app it has; it is told what the app has started and stopped meanwhile.
  private func restore(_ known: [String: Region], _ state: inout DaemonState) {
    state.knowsRegions = true
    let gone = state.stopped.intersection(known.keys)
    state.stopped = []
    if !gone.isEmpty { stop(gone.sorted(), &state) }
    for (identifier, region) in state.regions where state.starters[identifier] != nil {
      let isNew = state.starting[identifier] != nil
      if isNew || known[identifier] != region { start(region, &state) }
    }
    state.regions.merge(known.filter { !gone.contains($0.key) }) { mine, _ in mine }
  }

  private func open(_ greeting: Greeting, _ state: inout DaemonState) {
    state.link = .open
    state.goneSince = nil
    state.isLossTold = false
    state.app = greeting.app
    state.services = Set(greeting.services)
    state.followsChanges = false
    state.followsVisits = false
    for service in state.unfollowed { unfollow(service, &state) }
    for number in state.subscriptions.keys {
      state.subscriptions[number]?.standard?.isSent = false
      state.subscriptions[number]?.heading?.isSent = false
      state.subscriptions[number]?.single?.isSent = false
      state.subscriptions[number]?.forgetRanging()
    }
    let standing = Standing(authorization: greeting.authorization, accuracy: greeting.accuracy)
    if !state.users.isEmpty { state.send(.beginUse) }
    for (identifier, region) in state.regions where MonitorName.split(identifier) != nil {
      askState(region, &state)
    }
    if let level = state.asked, standing.authorization == .notDetermined { ask(level, &state) }
    use(standing, &state)
  }

  /// There is no daemon. A restart is no error; its absence is.
  func lose(_ state: inout DaemonState) {
    let isFirst = state.link == .open
    state.link = .lost
    state.knowsRegions = false
    if isFirst { state.goneSince = .now }
    for number in state.subscriptions.keys {
      state.subscriptions[number]?.standard?.isSent = false
      state.subscriptions[number]?.heading?.isSent = false
      state.subscriptions[number]?.single?.isSent = false
      state.subscriptions[number]?.forgetRanging()
    }
    if state.standing == nil {
      state.standing = Standing()
      tellSituation(&state)
    }
    state.wakeWaiters()
    let isShort = state.goneSince.map { ContinuousClock.now - $0 < Self.restart } ?? false
    guard !isShort, !state.isLossTold else { return }
    state.isLossTold = true
    for number in state.subscriptions.keys.sorted() { tellLoss(number, &state) }
  }

  /// Wishes that need a daemon fail; they are granted all the same once there is one.
  func tellLoss(_ number: Int, _ state: inout DaemonState) {
    guard let subscription = state.subscriptions[number] else { return }
    if subscription.standard != nil || subscription.wantsChanges || subscription.wantsVisits {
      state.deliver(.failed(Self.noDaemon(.locationUnknown)), to: number)
    }
    if subscription.heading != nil {
      state.deliver(.failed(Self.noDaemon(.headingFailure)), to: number)
    }
    for constraint in subscription.ranging.keys.sorted() {
      state.deliver(.rangingFailed(constraint, Self.noDaemon(.rangingUnavailable)), to: number)
    }
    if let single = subscription.single {
      state.subscriptions[number]?.single = nil
      state.deliver(.single(single.id, .failure(Self.noDaemon(.locationUnknown))), to: number)
    }
    for (identifier, starter) in state.starters.sorted(by: { $0.key < $1.key })
    where starter == number {
      state.deliver(
        .monitoringFailed(
          state.regions[identifier].map { CLRegion.region($0) },
          Self.noDaemon(.regionMonitoringSetupDelayed)), to: number)
    }
  }

  static func noDaemon(_ code: CLError.Code) -> CLError {
    CLError(code, "The location service is not running; what was asked for begins once it is.")
  }
}
