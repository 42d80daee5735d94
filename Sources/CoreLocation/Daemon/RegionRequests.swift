import LocationClient
import LocationModel

// Regions of managers and monitors.
extension Daemon {
  func startMonitoring(_ region: Region, of number: Int) {
    state.withLock { state in
      state.regions[region.identifier] = region
      state.starters[region.identifier] = number
      state.starting[region.identifier] = RegionStart()
      state.stopped.remove(region.identifier)
      if state.knowsRegions {
        start(region, &state)
      } else if state.link == .lost, state.goneSince == nil {
        state.deliver(
          .monitoringFailed(CLRegion.region(region), Self.noDaemon(.regionMonitoringSetupDelayed)),
          to: number)
      }
    }
  }

  func start(_ region: Region, _ state: inout DaemonState) {
    state.send(.startMonitoring([region])) { [weak self] answer in
      guard case .failure(.refused(let refusal)) = answer else { return }
      self?.state.withLock {
        self?.failRegion(
          region.identifier, CLError(refusal, other: .regionMonitoringFailure), &$0)
      }
    }
  }

  func stopMonitoring(_ identifier: String) {
    state.withLock { state in
      state.regions[identifier] = nil
      state.starters[identifier] = nil
      state.starting[identifier] = nil
      stop([identifier], &state)
      routeWaiting(&state)
    }
  }

  /// A daemon that is away is told once it is back.
  func stop(_ identifiers: [String], _ state: inout DaemonState) {
    state.stopped.formUnion(identifiers)
    guard state.knowsRegions else { return }
    state.send(.stopMonitoring(identifiers: identifiers)) { [weak self] answer in
      if case .failure(.lost) = answer { return }
      self?.state.withLock { $0.stopped.subtract(identifiers) }
    }
  }

  /// The state comes as an event, now or once it is known.
  func requestState(_ region: Region, of number: Int) {
    state.withLock { state in
      guard state.isOpen else {
        return state.deliver(.determined(region, .unknown), to: number)
      }
      let isMonitored = state.regions[region.identifier] == region
      guard isMonitored else { return compare(region, for: number, &state) }
      askState(region, of: number, &state)
    }
  }

  func askState(_ region: Region, of number: Int? = nil, _ state: inout DaemonState) {
    guard let number = number ?? state.starters[region.identifier] else { return }
    state.send(.requestState(identifier: region.identifier)) { [weak self] answer in
      self?.state.withLock { state in
        switch answer {
        case .success(let reply):
          let known = reply.state ?? .unknown
          guard state.starting[region.identifier] == nil else {
            state.starting[region.identifier]?.early = (number, known)
            return
          }
          state.deliver(.determined(region, known), to: number)
        case .failure(.lost): break
        case .failure(.refused(let refusal)):
          // The start of a monitor's condition fails as well, and says it.
          guard MonitorName.split(region.identifier) == nil else { return }
          let error = CLError(refusal, other: .regionMonitoringFailure)
          state.deliver(.monitoringFailed(CLRegion.region(region), error), to: number)
        }
      }
    }
  }

  /// A region that nobody monitors is compared with the newest location.
  private func compare(_ region: Region, for number: Int, _ state: inout DaemonState) {
    state.send(.location) { [weak self] answer in
      self?.state.withLock { state in
        switch answer {
        case .success(let reply):
          let known = reply.location.map { region.state(at: $0) } ?? .unknown
          state.deliver(.determined(region, known), to: number)
        case .failure(.lost): break
        case .failure(.refused(let refusal)):
          let error = CLError(refusal, other: .regionMonitoringFailure)
          state.deliver(.monitoringFailed(CLRegion.region(region), error), to: number)
        }
      }
    }
  }
}
