import Foundation
import LocationClient
import LocationModel

// The rights of the app.
extension Daemon {
  func requestAuthorization(_ level: Authorization) {
    guard info.maySay(level) else {
      let key = level == .authorizedAlways ? "AlwaysAndWhenInUse" : "WhenInUse"
      let problem =
        "Info.plist must say why with NSLocation\(key)UsageDescription before the app may ask for its location."
      return FileHandle.standardError.write(Data("CoreLocation: \(problem)\n".utf8))
    }
    connect()
    state.withLock { state in
      let now = state.standing?.authorization ?? .notDetermined
      let mayAsk =
        now == .notDetermined || (now == .authorizedWhenInUse && level == .authorizedAlways)
      guard mayAsk else { return }
      state.asked = level
      tellSituation(&state)
      if state.isOpen { ask(level, &state) }
    }
  }

  func ask(_ level: Authorization, _ state: inout DaemonState) {
    state.send(.hello(.init(name: info.name, purpose: info.purpose(level))))
    state.send(.requestAuthorization(level)) { [weak self] answer in
      if case .failure(.lost) = answer { return }
      self?.state.withLock { state in
        state.asked = nil
        self?.tellSituation(&state)
        // Nobody decided, or nothing has changed: single requests wait no longer.
        self?.reconcile(&state)
      }
    }
  }

  func requestFullAccuracy(
    _ purpose: String, then done: @escaping @Sendable (CLError?) -> Void
  ) {
    connect()
    state.withLock { state in
      guard state.link != .lost else {
        return state.outbox.append { done(Self.noDaemon(.promptDeclined)) }
      }
      state.send(.requestTemporaryFullAccuracy(purpose: purpose)) { answer in
        switch answer {
        case .success: done(nil)
        case .failure(.refused(let refusal)):
          done(CLError(.promptDeclined, refusal.message))
        case .failure(.lost): done(Self.noDaemon(.promptDeclined))
        }
      }
    }
  }

  /// The app stays in use though its user's session leaves the front, until the last holder lets go.
  func beginUse(_ holder: Int) {
    connect()
    state.withLock { state in
      let isFirst = state.users.isEmpty
      state.users.insert(holder)
      if isFirst, state.isOpen { state.send(.beginUse) }
    }
  }

  func endUse(_ holder: Int) {
    state.withLock { state in
      guard state.users.remove(holder) != nil, state.users.isEmpty, state.isOpen else { return }
      state.send(.endUse)
    }
  }
}
