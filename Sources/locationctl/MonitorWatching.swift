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
    let refusal = try daemon.tryToIntroduce("locationctl watch")
    var asked: Set<Int64> = []
    let before = (try? identifiers(daemon)) ?? []
    for request in starts { asked.insert(try daemon.send(request)) }
    defer { try? end(daemon, keeping: before) }
    Output.complain(waiting)
    if let refusal { Output.complain("nothing comes now: \(refusal.message)") }
    var isRefused = refusal != nil
    var shown: UInt64 = 0
    while true {
      for message in try daemon.receive() {
        switch message {
        case .reply(let id, .failure(let refusal)):
          guard asked.remove(id) != nil else { break }
          guard refusal.code == .denied || refusal.code == .regionMonitoringDenied else {
            throw Failure(refusal)
          }
          if !isRefused { Output.complain("nothing comes now: \(refusal.message)") }
          isRefused = true
        case .reply(let id, .success): asked.remove(id)
        case .event(_, .didChangeAuthorization) where isRefused:
          isRefused = false
          for request in starts { asked.insert(try daemon.send(request)) }
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

  /// The news that may be long in coming.
  private var waiting: String {
    var news: [String] = []
    if significant { news.append("a move of half a kilometre") }
    if visits {
      news.append("an arrival, which is told after some minutes of staying, or a departure")
    }
    if !regions.isEmpty { news.append("a crossing of \(Count(regions.count, "region"))") }
    return "waiting for " + news.joined(separator: "; ") + ". Ctrl-C ends."
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
