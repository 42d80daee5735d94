import Console
import LocationModel

/// Significant changes, visits and regions, which `watch` shows instead of locations.
struct Monitoring {
  private var significant: Bool
  private var visits: Bool
  private var regions: [Region] = []

  init(_ arguments: inout Arguments) throws(Failure) {
    significant = arguments.flag("--significant")
    visits = arguments.flag("--visits")
    while let text = try arguments.value("--region") { regions.append(try Region(option: text)) }
  }

  var isEmpty: Bool { !significant && !visits && regions.isEmpty }

  /// Shows each event once, until a signal; then nothing is monitored any more that was not before.
  func follow(_ daemon: Daemon, asJSON: Bool) throws(Failure) {
    let interrupts = Interrupts.begin()
    try daemon.introduce("locationctl watch")
    let before = try identifiers(daemon)
    var asked: Set<Int64> = []
    for request in starts { asked.insert(try daemon.send(request)) }
    defer { try? end(daemon, keeping: before) }
    var shown: UInt64 = 0
    while true {
      for message in try daemon.receive() {
        switch message {
        case .reply(let id, let result):
          if asked.remove(id) != nil { _ = try daemon.get(result) }
        case .numbered(_, let event, let number):
          guard isWanted(event), number > shown else { continue }
          shown = number
          try show(event, asJSON: asJSON)
          _ = try daemon.send(.acknowledge(event: number))
        case .event(_, let event): if isWanted(event) { try show(event, asJSON: asJSON) }
        case .farewell(let refusal): throw Failure(refusal)
        case .request, .unknown: break
        }
      }
      if daemon.wait(or: interrupts, milliseconds: -1) { return }
    }
  }

  private var starts: [Request] {
    var requests: [Request] = []
    if significant { requests.append(.startMonitoringSignificantLocationChanges) }
    if visits { requests.append(.startMonitoringVisits) }
    if !regions.isEmpty { requests.append(.startMonitoring(regions)) }
    return requests
  }

  private func identifiers(_ daemon: Daemon) throws(Failure) -> Set<String> {
    let page = try daemon.ask(.monitoredRegions(after: nil, limit: 1000))
    return Set((page["regions"]?.array ?? []).compactMap { $0["identifier"]?.string })
  }

  private func end(_ daemon: Daemon, keeping before: Set<String>) throws(Failure) {
    if significant { _ = try daemon.ask(.stopMonitoringSignificantLocationChanges) }
    if visits { _ = try daemon.ask(.stopMonitoringVisits) }
    let added = regions.map(\.identifier).filter { !before.contains($0) }
    if !added.isEmpty { _ = try daemon.ask(.stopMonitoring(identifiers: added)) }
  }

  /// Other programs of the same app may have asked for more.
  private func isWanted(_ event: Event) -> Bool {
    switch event {
    case .didUpdateLocations: significant
    case .didVisit: visits
    case .didEnterRegion(let identifier, _), .didExitRegion(let identifier, _),
      .didDetermineState(let identifier, _), .didStartMonitoring(let identifier):
      regions.contains { $0.identifier == identifier }
    default: true
    }
  }

  private func show(_ event: Event, asJSON: Bool) throws(Failure) {
    guard asJSON else { return try Output.write(Describe.told(event)) }
    var line = TextBuffer()
    line.appendLine(event, at: .now)
    try Output.write(line.bytes)
  }
}
