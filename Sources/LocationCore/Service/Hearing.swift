import LocationModel

// Radios: the networks around, and what they say of the place.
extension LocationService {
  mutating func hear(
    _ scan: NetworkScan, by source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    sources.hear(scan, from: source, at: now)
    // A recording's networks are none of here.
    guard sources.table.isOpenRadio(source), let place = radio.handle(scan, at: now) else { return }
    accept(Fix(place, kind: .estimated), from: source, at: now, into: &outputs)
  }

  /// Asks for a scan, if it is time to.
  mutating func scan(at now: Instant, into outputs: inout [Output]) {
    sources.table.knowsNetworks = radio.knowsNetworks
    let demand = sources.table.radioDemand
    let isOfUse = radio.isLearning || !sources.known.locator.isResting(at: now.boottime)
    guard radio.wantsScan(isOfUse ? demand : nil, at: now.boottime) else { return }
    outputs += sources.table.neededRadios.map(Output.scan)
  }

  /// Adds why a radio says no place.
  func explain(_ statuses: inout [SourceStatus]?) {
    for i in statuses?.indices ?? 0..<0 {
      guard let status = statuses?[i], PlaceKind(source: status.name) == .wifi else { continue }
      let isSilent =
        switch status.state {
        case .waiting, .running: (status.lastFixAge ?? .infinity) > Self.longSilence
        case .closed: !radio.knowsNetworks
        case .resting, .failed: false
        }
      if isSilent { statuses?[i].details.remark = radio.whyNoPlace }
    }
  }

  /// Seconds: two scans or more have said nothing.
  private static let longSilence = 90.0

  /// The networks around tell a place: their number and scans are for clients that may know it.
  func wifiStatus(for client: ClientID, _ caller: Caller, at now: Instant) -> WiFiStatus {
    var status = radio.status
    let mayKnow = clients[client]?.access.verdict(for: .standard) == .allow(.full)
    if mayKnow || permissions.isAdministrator(caller) {
      status.scanAge = radio.scanAge(at: now)
    } else {
      status.networks = nil
    }
    return status
  }
}
