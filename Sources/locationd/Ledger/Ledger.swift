import LocationCore
import LocationModel
import Platform

/// The memory over restarts: a database in the state folder, or none.
final class Ledger {
  /// Nil where nothing is written.
  private var writer: DatabaseWriter?
  /// Without one, commits are answered in the loop's next turn, as all are: never at once.
  private var later: EventLoop.Later?
  private var unwritten: [(id: CommitID, trouble: String?)] = []
  private var here: SetPlaceFile?
  private var pages = NetworkPages()
  private let post: (Input) -> Void
  private var remembered = StoreSnapshot()
  private var trouble: String?
  /// The complaint about it, for the log.
  private(set) var complaint: String?

  init(
    _ place: StatePlace, on loop: EventLoop, _ log: Log, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.post = post
    if case .folder(let folder) = place {
      try open("\(folder)/\(Self.name)", on: loop, log)
      let file = SetPlaceFile(path: "\(folder)/\(Self.hereName)")
      here = file
      do throws(SystemError) {
        remembered.here = try file.read()
      } catch {
        log.warning("\(error), so the set place is not known")
      }
    }
    nameLedger()
    later = try EventLoop.Later(on: loop) { [unowned self] in
      let done = unwritten
      unwritten = []
      for (id, trouble) in done {
        post((trouble ?? self.trouble).map { .commitFailed(id, $0) } ?? .committed(id))
      }
    }
  }

  static let name = "locationd.db"
  static let hereName = "geolocation"

  private func open(_ path: String, on loop: EventLoop, _ log: Log) throws(SystemError) {
    let writer = try DatabaseWriter(
      path: path, LedgerTables.schema, reading: LedgerTables.queries, on: loop
    ) { [unowned self] number, error in
      // The name is no commit.
      guard number > 0 else { return }
      let id = CommitID(number)
      post(error.map { .commitFailed(id, $0.description) } ?? .committed(id))
    }
    writer.restored = { log.warning("\(path) had gone; all that is kept was written anew") }
    switch writer.content {
    case .success(let content):
      do throws(DatabaseError) {
        remembered = try LedgerTables.remembered(content.tables)
        remembered.hasNetworks = true
        writer.forgetContent()
        self.writer = writer
        if let trouble = content.trouble { complain(of: path, trouble) }
      } catch {
        // The records that it would write do not rest on what was there.
        complain(of: path, error)
      }
    case .failure(let trouble):
      self.writer = writer
      complain(of: path, trouble)
    }
  }

  /// The name stays as long as the file; where nothing is written it is another one with each start.
  private func nameLedger() {
    guard remembered.ledger == nil else { return }
    let name = Int64.random(in: LedgerTables.names)
    remembered.ledger = name
    if trouble == nil { writer?.write([LedgerTables.note(ledger: name)], number: 0) }
  }

  private func complain(of path: String, _ trouble: DatabaseError) {
    self.trouble = trouble.description
    let outlook =
      trouble.mayPass ? "it is tried again when something is to be kept" : "the file stays as it is"
    complaint = "\(path): \(trouble), so no new permission is given; \(outlook)"
  }

  /// Gives the content that it had when it was opened, and forgets it.
  func drainRemembered() -> StoreSnapshot {
    var taken = remembered
    remembered = StoreSnapshot()
    taken.trouble = trouble
    return taken
  }

  /// Reads the learnt networks, and posts them, while other work goes on.
  func readNetworks() {
    writer?.read(pages.question) { [unowned self] in
      let (networks, areAll) = pages.take($0)
      post(.networks(networks, areAll: areAll))
      if !areAll { readNetworks() }
    }
  }

  func commit(_ changes: [Change], _ id: CommitID) {
    if case .here(let place)? = changes.first {
      do throws(SystemError) {
        try here?.write(place)
      } catch {
        unwritten.append((id, "\(error)"))
        later?.set()
        return
      }
    }
    guard let writer else {
      unwritten.append((id, nil))
      later?.set()
      return
    }
    writer.write(
      changes.flatMap(LedgerTables.statements), number: id.number,
      erases: changes.contains(where: \.erases))
  }
}

/// Where it is remembered.
enum StatePlace: Equatable {
  case folder(String)
  /// Until the daemon ends.
  case memory

  static let standard = "/var/lib/locationd"

  /// The place by `--state` or the configuration; else the service manager's folder, else the system's, if
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
