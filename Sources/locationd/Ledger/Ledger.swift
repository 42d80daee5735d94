import LocationCore
import LocationModel
import Platform

/// What is remembered over restarts: a database in the state folder, or nothing.
final class Ledger {
  private var writer: DatabaseWriter?
  /// Commits that need no disk are answered in the loop's next turn, as all are: never at once.
  private var later: EventLoop.Later?
  private var unwritten: [CommitID] = []
  private let post: (Input) -> Void
  private(set) var remembered = Remembered()
  /// What is wrong with it, for the log.
  private(set) var complaint: String?

  init(
    _ place: StatePlace, on loop: EventLoop, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.post = post
    switch place {
    case .memory:
      later = try EventLoop.Later(on: loop) { [unowned self] in
        let done = unwritten
        unwritten = []
        for id in done { post(.committed(id)) }
      }
    case .folder(let folder):
      do throws(SystemError) {
        try File.makeFolder(folder)
      } catch {
        // SQLite will say what this comes to.
      }
      try open("\(folder)/\(Self.name)", on: loop)
    }
  }

  static let name = "locationd.db"

  private func open(_ path: String, on loop: EventLoop) throws(SystemError) {
    let writer = try DatabaseWriter(
      path: path, LedgerTables.schema, reading: LedgerTables.queries, on: loop
    ) { [unowned self] number, error in
      let id = CommitID(number)
      post(error.map { .commitFailed(id, $0.description) } ?? .committed(id))
    }
    self.writer = writer
    var trouble: DatabaseError?
    do throws(DatabaseError) {
      let content = try writer.content.get()
      remembered = try LedgerTables.remembered(content.tables)
      trouble = content.trouble
    } catch {
      trouble = error
      // What it would write does not rest on what was there.
      self.writer = nil
      later = try failing(on: loop)
    }
    guard let trouble else { return }
    remembered.trouble = trouble.description
    complaint = "\(path): \(trouble), so no new permission is given; the file stays as it is"
  }

  private func failing(on loop: EventLoop) throws(SystemError) -> EventLoop.Later {
    try EventLoop.Later(on: loop) { [unowned self] in
      let failed = unwritten
      unwritten = []
      for id in failed { post(.commitFailed(id, remembered.trouble ?? "it is not open")) }
    }
  }

  func commit(_ changes: [Change], _ id: CommitID) {
    guard let writer else {
      unwritten.append(id)
      later?.set()
      return
    }
    writer.write(
      changes.flatMap(LedgerTables.statements), number: id.number,
      erases: changes.contains(where: \.erases))
  }
}

extension Change {
  fileprivate var erases: Bool {
    switch self {
    case .erase, .forget: true
    default: false
    }
  }
}

/// Where it is remembered.
enum StatePlace: Equatable {
  case folder(String)
  /// Until the daemon ends.
  case memory

  static let standard = "/var/lib/locationd"

  /// What `--state` or the configuration says; else the service manager's folder, else the system's, if
  /// it is ours to write.
  static func chosen(_ configured: String?) -> (place: StatePlace, warning: String?) {
    if let configured { return (configured == "none" ? .memory : .folder(configured), nil) }
    if let given = Process.stateFolder { return (.folder(given), nil) }
    if File.canMakeFolder(standard) { return (.folder(standard), nil) }
    return (
      .memory,
      "\(standard) cannot be written, so permissions are forgotten when locationd ends; --state says"
        + " where to keep them"
    )
  }
}
