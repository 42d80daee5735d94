import LocationClient
import LocationModel

// Beacons that managers range.
extension Daemon {
  func setRanging(_ constraints: Set<BeaconConstraint>, of number: Int) {
    state.withLock { state in
      let before = state.subscriptions[number]?.ranging ?? [:]
      for (constraint, isSent) in before.sorted(by: { $0.key < $1.key })
      where !constraints.contains(constraint) {
        state.subscriptions[number]?.ranging[constraint] = nil
        if isSent { state.send(.stopRangingBeacons(constraint), manager: number) }
      }
      let isLost = state.link == .lost && state.goneSince == nil
      for constraint in constraints.sorted() where before[constraint] == nil {
        state.subscriptions[number]?.ranging[constraint] = false
        if isLost {
          state.deliver(
            .rangingFailed(constraint, Self.noDaemon(.rangingUnavailable)), to: number)
        }
      }
      reconcileRanging(of: number, &state)
    }
  }

  /// Tells the daemon of the beacons that it has not been told of on this connection.
  func reconcileRanging(of number: Int, _ state: inout DaemonState) {
    guard state.isOpen, let ranging = state.subscriptions[number]?.ranging else { return }
    for constraint in ranging.filter({ !$0.value }).keys.sorted() {
      state.subscriptions[number]?.ranging[constraint] = true
      state.send(.startRangingBeacons(constraint), manager: number) { [weak self] answer in
        guard case .failure(.refused(let refusal)) = answer else { return }
        self?.state.withLock { self?.failRanging(constraint, refusal, of: number, &$0) }
      }
    }
  }

  /// A denied request is made again when the rights of the app change.
  func failRanging(
    _ constraint: BeaconConstraint, _ refusal: Refusal, of number: Int, _ state: inout DaemonState
  ) {
    guard state.subscriptions[number]?.ranging[constraint] != nil else { return }
    if refusal.code == .denied { state.subscriptions[number]?.ranging[constraint] = false }
    state.deliver(
      .rangingFailed(constraint, CLError(refusal, other: .rangingFailure)), to: number)
  }
}

extension Subscription {
  /// The daemon has been told of none on a new connection.
  mutating func forgetRanging() { ranging = ranging.mapValues { _ in false } }
}
