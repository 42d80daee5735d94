import Dispatch
import Foundation
import LocationClient

/// A condition on the disk.
struct SavedCondition: Codable {
  var identifier: String
  private var circle: CLMonitor.CircularGeographicCondition?
  private var beacon: CLMonitor.BeaconIdentityCondition?
  var state: UInt
  var date: Date

  init(_ identifier: String, _ condition: any CLCondition, _ event: CLMonitor.Event) {
    self.identifier = identifier
    circle = condition as? CLMonitor.CircularGeographicCondition
    beacon = condition as? CLMonitor.BeaconIdentityCondition
    state = event.state.rawValue
    date = event.date
  }

  /// Nil for a kind that is not known.
  var condition: (any CLCondition)? { circle ?? beacon }
}

/// The file of a monitor, for this program and user: in `STATE_DIRECTORY` where a service manager gives
/// one, else in `XDG_STATE_HOME` or `~/.local/state`.
struct MonitorFile: Sendable {
  /// Puts the bytes in the place of the file's, in one piece.
  typealias Writer = @Sendable (Data, URL) throws -> Void

  /// Tests put another disk in the place of these.
  @TaskLocal static var writer: Writer = { try $0.write(to: $1, options: .atomic) }
  @TaskLocal static var reader: @Sendable (URL) throws -> Data = { try Data(contentsOf: $0) }

  let url: URL?
  private let writer = Self.writer
  private let reader = Self.reader
  /// The file is read and written here, and nowhere else: a disk may take its time.
  let queue: DispatchQueue

  private static let queues = Guarded<[URL?: DispatchQueue]>([:])

  init(_ name: String) {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String) -> URL? {
      environment[variable].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    }
    let home = folder("HOME")?.appending(path: ".local/state")
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let url = (folder("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME") ?? home)?
      .appending(path: "CoreLocation").appending(path: Self.plain(program))
      .appending(path: Self.plain(name) + ".monitor")
    let new = DispatchQueue(label: "CoreLocation.monitor")
    self.url = url
    queue = Self.queues.withLock { queues in
      let queue = queues[url] ?? new
      queues[url] = queue
      return queue
    }
  }

  /// A text as one name in a folder.
  private static func plain(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Nothing where there is none, or it is damaged.
  func read() -> [SavedCondition] {
    guard let url, let data = try? reader(url) else { return [] }
    return (try? JSONDecoder().decode([SavedCondition].self, from: data)) ?? []
  }

  /// In one piece; false where it cannot be written.
  func write(_ conditions: [SavedCondition]) -> Bool {
    guard let url, let data = try? JSONEncoder().encode(conditions) else { return false }
    if conditions.isEmpty {
      try? FileManager.default.removeItem(at: url)
      return true
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try writer(data, url)
      return true
    } catch {
      return false
    }
  }
}
