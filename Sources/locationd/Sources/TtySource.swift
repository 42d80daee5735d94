import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A receiver on a serial line: one that is named, or any that appears. Unplugged, it is looked for
/// again.
final class TtySource: Source {
  private let url: SourceURL.Line
  private let context: SourceContext
  private let memory: SpeedMemory

  private var line: TtyLine?
  private var reader: NMEAReader?
  private let claims: Claims
  private var folders: FolderWatch?
  private var retry: EventLoop.Timer?
  private var nextRetry: Boottime?
  /// Devices that were tried in vain, as they were then: until one is another, there is no haste.
  private var tried: [String: PathIdentity] = [:]
  /// Why a device is left alone, or where no receiver spoke.
  private var leftAlone: [String: String] = [:]
  /// The device that was opened last.
  private var last: String?
  private var isWanted = false

  /// With inotify it is found at once; this is for what no folder shows, such as who else has it.
  private static let pause: Duration = .seconds(2)
  /// Any device is tried for so long: whether a receiver speaks there, and then whether it has had a fix
  /// of late, since another one may have.
  private let trial: Duration

  init(
    _ url: SourceURL.Line, in context: SourceContext, _ memory: SpeedMemory, _ bus: BusConnection?,
    trial: Duration = .seconds(30)
  ) throws(SystemError) {
    self.url = url
    self.trial = trial
    self.context = context
    self.memory = memory
    claims = try Claims(
      of: [GpsdDevices(with: context.resolver), ModemPorts(on: bus)],
      on: context.loop)
    retry = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      tryAgain()
    }
    reader = try NMEAReader(on: context.loop) { [unowned self] in accept($0) }
  }

  func open(for _: SourceDemand) {
    isWanted = true
    tried = [:]
    leftAlone = [:]
    do throws(SystemError) {
      // Watched first, so that nothing comes unseen in between.
      folders = try FolderWatch(on: context.loop) { [unowned self] in lookAround() }
      watchFolders()
    } catch {
      folders = nil
    }
    find()
  }

  func isLoop(_ way: WayBack) -> Bool {
    guard case .terminal(let path) = way else { return false }
    return candidates.contains { $0 == path || PathIdentity.areSame($0, path) }
  }

  func close() {
    isWanted = false
    folders = nil
    release()
  }

  private func release() {
    claims.cancel()
    retry?.set(nil)
    nextRetry = nil
    line?.close()
    line = nil
  }

  private func accept(_ reading: Reading) {
    guard case .fix(var fix) = reading, url.isAny, let line else {
      context.report(reading)
      return
    }
    fix.location.source = "nmea:\(line.path)"
    context.report(.fix(fix))
  }
}

// MARK: - Finding it

extension TtySource {
  /// Something has come, gone or changed where the device is, or would be.
  private func lookAround() {
    watchFolders()
    if let line {
      guard line.isGone else { return }
      // The next one there is another.
      tried[line.path] = nil
      fail("it was unplugged")
    } else if candidates.contains(where: { PathIdentity(of: $0) != tried[$0] }) {
      find()
    }
  }

  private func watchFolders() {
    folders?.watch(
      url.patterns.reduce(into: []) { $0.formUnion(FolderWatch.folders(leadingTo: $1)) })
  }

  /// The devices that are there and may be opened.
  private var candidates: [String] {
    url.isAny ? url.patterns.flatMap { File.paths(like: $0) } : url.patterns
  }

  private func tryAgain() {
    guard let line else { return find() }
    // Any device, and no receiver has spoken there in all this time: another may be one.
    guard line.hasSpoken else {
      leftAlone[line.path] = Self.silent
      return fail(Self.silent)
    }
    // Receivers go on looking for satellites while nobody listens to them.
    let others = candidates.filter { $0 != line.path }
    if !line.hasNewFix, others.contains(where: { leftAlone[$0] ?? Self.blind == Self.blind }) {
      leftAlone[line.path] = Self.blind
      release()
      find()
    } else {
      retry?.set(Clock.boottime + trial)
    }
  }

  private static let silent = "no receiver speaks there"
  private static let blind = "the receiver has no fix"

  /// After asking others what is theirs, where there is anything.
  private func find() {
    guard !claims.isAsking else { return }
    let paths = candidates
    guard paths.contains(where: { PathIdentity(of: $0) != nil }) else {
      return find(among: paths, [])
    }
    claims.ask { [unowned self] in find(among: candidates, $0) }
  }

  private func find(among paths: [String], _ claims: [Claim]) {
    var reason = url.isAny ? "no receiver is plugged in" : ""
    tried = tried.filter { paths.contains($0.key) }
    leftAlone = leftAlone.filter { paths.contains($0.key) }
    for path in inTurn(paths) {
      tried[path] = PathIdentity(of: path)
      do throws(SystemError) {
        if tried[path] != nil, let holder = Receivers.whyNot(path, claims, url) {
          leftAlone[path] = holder
          reason = "\(path): \(holder)"
          continue
        }
        try open(path)
        return
      } catch {
        let why = error.isBusy ? Receivers.taken : error.reason
        reason = error.isNotFound ? "\(path) is not there" : "\(error.attempt): \(why)"
        leftAlone[path] = url.isAny ? why : nil
      }
    }
    fail(reason)
  }

  /// The one that was read last comes first, if that had fixes; those that had none take turns. What
  /// spoke nothing is tried again once nothing else is left.
  private func inTurn(_ paths: [String]) -> [String] {
    let at = paths.firstIndex { $0 == last } ?? 0
    let turned = paths[at...] + paths[..<at]
    let fresh = turned.filter { leftAlone[$0] != Self.silent && leftAlone[$0] != Self.blind }
    let blind = (turned.dropFirst() + turned.prefix(1)).filter { leftAlone[$0] == Self.blind }
    if fresh.isEmpty, blind.isEmpty { leftAlone = [:] }
    return fresh.isEmpty && blind.isEmpty ? paths : fresh + blind
  }

  private func open(_ path: String) throws(SystemError) {
    guard let reader else { return }
    last = path
    line = try TtyLine(path, speed: url.speed, memory, into: reader, on: context.loop) {
      [unowned self] reason in
      fail(reason)
    }
    leftAlone[path] = nil
    nextRetry = nil
    retry?.set(url.isAny ? Clock.boottime + trial : nil)
    context.reportFound()
  }

  private func fail(_ reason: String) {
    reader?.flush()
    guard isWanted else { return }
    release()
    let moment = Clock.boottime + Self.pause
    nextRetry = moment
    retry?.set(moment)
    context.reportFailure(reason)
  }
}

// MARK: - Describing it

extension TtySource {
  var counters: ReceiverCounters? { reader?.counters }

  /// Why nothing could be read if it were opened, as far as the names of devices tell.
  private var whyNotNow: String? {
    let there = candidates.filter { PathIdentity(of: $0) != nil }
    guard !there.isEmpty else {
      return url.isAny ? "no receiver is plugged in" : "\(url.patterns[0]) is not there"
    }
    let reasons = there.map { path in
      Receivers.whyNot(path, [], url).map { "\(path): \($0)" }
    }
    return reasons.contains(nil) ? nil : reasons.compactMap { $0 }.joined(separator: "; ")
  }

  var details: SourceDetails {
    var details = SourceDetails()
    line?.describe(into: &details)
    details.nextRetry = nextRetry.map { $0.seconds(since: Clock.boottime) }
    if !isWanted {
      details.remark = whyNotNow
    } else if url.isAny, line == nil, !leftAlone.isEmpty {
      details.remark = leftAlone.sorted { $0.key < $1.key }.prefix(8)
        .map { "\($0.key): \($0.value)" }.joined(separator: "; ")
    }
    return details
  }
}
