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
  func follow(_ daemon: PersistentDaemon, asJSON: Bool) throws(Failure) {
    var asked: Set<Int64> = []
    // A daemon that comes back has the regions of this run, too.
    var before: Set<String>?
    defer { try? end(daemon, keeping: before ?? []) }
    var isRefused = false
    var shown = ShownEvents()
    try daemon.follow { (event) throws(Failure) in
      switch event {
      case .opened:
        guard let introduction = try daemon.introduce("locationctl watch") else { return }
        if before == nil {
          before = (try? daemon.perform(identifiers)) ?? []
          Output.complain(waiting)
        }
        isRefused = introduction.refusal != nil
        if let refusal = introduction.refusal { complain(refusal.message) }
        asked = try begin(daemon)
      case .received(.reply(let id, .failure(let refusal))):
        guard asked.remove(id) != nil else { break }
        guard refusal.code == .denied || refusal.code == .regionMonitoringDenied else {
          throw Failure(refusal)
        }
        if !isRefused { complain(refusal.message) }
        isRefused = true
      case .received(.reply(let id, .success)): asked.remove(id)
      case .received(.event(_, .didChangeAuthorization)) where isRefused:
        isRefused = false
        asked.formUnion(try begin(daemon))
      case .received(.numbered(_, let event, let number)):
        guard isWanted(event) else { return }
        if shown.admits(number, event) { try show(event, asJSON: asJSON) }
        _ = try daemon.send(.acknowledge(event: number))
      case .received(.event(_, let event)):
        if isWanted(event), shown.admits(event) { try show(event, asJSON: asJSON) }
      case .received: break
      case .lost(let why): complain(why)
      }
    }
  }

  private func complain(_ why: String) { Output.complain("nothing comes now: \(why)") }

  /// Gives the numbers of the replies.
  private func begin(_ daemon: PersistentDaemon) throws(Failure) -> Set<Int64> {
    var asked: Set<Int64> = []
    for request in starts { if let id = try daemon.send(request) { asked.insert(id) } }
    return asked
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
    let reply = try daemon.ask(.monitoredRegions(after: nil, limit: 1000))
    return if case .regions(let regions, _) = reply { Set(regions.map(\.identifier)) } else { [] }
  }

  private func end(_ daemon: PersistentDaemon, keeping before: Set<String>) throws(Failure) {
    _ = try daemon.perform { (daemon) throws(Failure) in
      if significant { try daemon.ask(.stopMonitoringSignificantLocationChanges) }
      if visits { try daemon.ask(.stopMonitoringVisits) }
      let added = regions.map(\.identifier).filter { !before.contains($0) }
      if !added.isEmpty { try daemon.ask(.stopMonitoring(identifiers: added)) }
    }
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

/// What was shown, so that a daemon that is asked again, or tells again what it was not seen to be told, is shown
/// once. The same number for another event is a daemon that has begun to count anew.
struct ShownEvents {
  private var numbered: [UInt64: Event] = [:]
  private var started: Set<String> = []

  /// The daemon keeps as many.
  private static let most = 1000

  mutating func admits(_ number: UInt64, _ event: Event) -> Bool {
    if numbered[number] == event { return false }
    if numbered.count >= Self.most { numbered = [:] }
    numbered[number] = event
    return true
  }

  mutating func admits(_ event: Event) -> Bool {
    guard case .didStartMonitoring(let identifier) = event else { return true }
    return started.insert(identifier).inserted
  }
}
