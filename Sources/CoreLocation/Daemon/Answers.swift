import Dispatch
import LocationClient
import LocationModel

// Answers that the app wants at once.
extension Daemon {
  /// Waits, a moment at most, until the daemon has said what the app may do.
  @discardableResult
  func standing() -> Standing {
    connect()
    let waiter = DispatchSemaphore(value: 0)
    let known = state.withLock { state in
      if state.standing == nil { state.waiters.append(waiter) }
      return state.standing
    }
    if let known { return known }
    _ = waiter.wait(timeout: .now() + patience.seconds)
    return state.withLock { $0.standing } ?? Standing()
  }

  /// Asks, and waits a moment at most; nil where no answer came, or a refusal.
  private func answer(to request: Request) -> Reply? {
    standing()
    let waiter = DispatchSemaphore(value: 0)
    let place = Guarded<Reply?>(nil)
    let isAsked = state.withLock { state in
      guard state.isOpen else { return false }
      state.send(request) { answer in
        if case .success(let reply) = answer { place.withLock { $0 = reply } }
        waiter.signal()
      }
      return true
    }
    guard isAsked else { return nil }
    _ = waiter.wait(timeout: .now() + patience.seconds)
    return place.withLock { $0 }
  }

  /// The newest location that the app may see.
  func location() -> Location? {
    answer(to: .location)?.location
  }

  /// Whether there is a daemon, and its master switch is on.
  func isEnabled() -> Bool {
    answer(to: .status)?.status?.isEnabled ?? false
  }

  func has(_ service: Service) -> Bool {
    standing()
    return state.withLock { $0.services.contains(service) }
  }

  func regions() -> [Region] {
    standing()
    return state.withLock { state in
      state.regions.values.filter { MonitorName.split($0.identifier) == nil }
    }
  }
}
