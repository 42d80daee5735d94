import LocationCore
import LocationModel
import Platform

/// The lines of the journal for an administrator, one for each event: never a place.
final class Journal {
  private struct Source {
    var name: String
    /// Why it cannot be read; nil where it can.
    var trouble: String?
    var isFound = false
    var isSilent = false
    /// Since when it could have had a fix.
    var begun: Boottime
  }

  private let log: Log
  /// Seconds since a source's last fix, and why it has none, as far as it knows; nil where that says a place.
  private let look: (SourceID) -> (age: Double?, remark: String?)?
  private var sources: [SourceID: Source] = [:]
  /// The open ones.
  private var open: Set<SourceID> = []
  private var alarm: EventLoop.Timer?

  private static let patience: Duration = .seconds(20)

  /// The kinds of events, as `journalctl MESSAGE_ID=` finds them.
  private enum Kind: String {
    case sourceFound = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c01"
    case sourceLost = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c02"
    case sourceSilent = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c03"
    case permissionGiven = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c04"
    case permissionTaken = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c05"
    case backgroundAccess = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c06"
  }

  init(
    _ log: Log, on loop: EventLoop,
    look: @escaping (SourceID) -> (age: Double?, remark: String?)?
  ) throws(SystemError) {
    self.log = log
    self.look = look
    alarm = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in lookAround() }
  }

  func note(_ text: String, _ note: Note) {
    let fields = note.app.map { [("APP", $0.name), ("UID", "\($0.uid)")] } ?? []
    switch note.kind {
    case .permissionGiven: log.event(.notice, text, id: Kind.permissionGiven.rawValue, fields)
    case .permissionTaken: log.event(.notice, text, id: Kind.permissionTaken.rawValue, fields)
    case .backgroundAccess: log.event(.notice, text, id: Kind.backgroundAccess.rawValue, fields)
    case nil: log.notice(text)
    }
  }
}

// MARK: - Sources

extension Journal {
  private func say(_ level: Log.Level, _ source: Source, _ text: String, _ kind: Kind) {
    log.event(level, "\(source.name): \(text)", id: kind.rawValue, [("SOURCE", source.name)])
  }

  func follow(_ input: Input, named name: (SourceID) -> String) {
    switch input {
    case .found(let id):
      var source = entry(id, name)
      if !source.isFound || source.trouble != nil {
        say(.notice, source, source.isFound ? "found again" : "found", .sourceFound)
      }
      source.isFound = true
      source.trouble = nil
      source.isSilent = false
      source.begun = Clock.boottime
      sources[id] = source
      alarm?.set(Clock.boottime + Self.patience)
    case .failed(let id, let reason):
      var source = entry(id, name)
      guard source.trouble != reason else { break }
      say(source.isFound && source.trouble == nil ? .warning : .notice, source, reason, .sourceLost)
      source.trouble = reason
      sources[id] = source
    default: break
    }
  }

  func follow(_ output: Output) {
    switch output {
    case .open(let id, _):
      open.insert(id)
      sources[id]?.begun = Clock.boottime
      alarm?.set(Clock.boottime + Self.patience)
    case .close(let id):
      open.remove(id)
      if open.isEmpty { alarm?.set(nil) }
    default: break
    }
  }

  private func entry(_ id: SourceID, _ name: (SourceID) -> String) -> Source {
    sources[id] ?? Source(name: name(id), begun: Clock.boottime)
  }

  /// A source that has gone from the configuration is not known any more.
  func keep(_ ids: [SourceID]) { sources = sources.filter { ids.contains($0.key) } }

  /// Every 20 seconds while sources are open: no fix is followed for this.
  private func lookAround() {
    let now = Clock.boottime
    for id in open {
      guard var source = sources[id], source.isFound, source.trouble == nil,
        let (age, remark) = look(id)
      else { continue }
      let isSilent =
        min(age ?? .infinity, now.seconds(since: source.begun)) >= Self.patience.seconds
      guard isSilent != source.isSilent else { continue }
      if isSilent {
        let why = remark.map { ": \($0)" } ?? ""
        say(
          .warning, source, "no fix for \(Self.patience.components.seconds) s\(why)", .sourceSilent)
      } else if age != nil {
        say(.notice, source, "fixes come again", .sourceFound)
      }
      source.isSilent = isSilent
      sources[id] = source
    }
    if !open.isEmpty { alarm?.set(now + Self.patience) }
  }
}
