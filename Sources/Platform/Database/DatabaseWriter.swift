internal import Synchronization

/// A database with a thread of its own, since a disk may take a second to write: it is fed values and
/// answers on the loop. What waits is written in one transaction.
package final class DatabaseWriter {
  /// The content, one list of rows per query, and why it cannot be written, if it cannot.
  package struct Content: Sendable {
    package var tables: [[[DatabaseValue]]]
    package var trouble: DatabaseError?
  }

  private let exchange: Exchange
  private let answered: (UInt64, DatabaseError?) -> Void
  /// The readers that wait for rows, in the order of their questions.
  private var readers: [(Result<[[DatabaseValue]], DatabaseError>) -> Void] = []
  /// Told when the files had gone, and all of it was written anew.
  package var restored: () -> Void = {}
  private var watch: EventLoop.Watch?
  /// Until it is forgotten; a failure where the database cannot even be read.
  package private(set) var content: Result<Content, DatabaseError>

  /// Waits until it is open and read. Answers come in the order of what was given.
  package init(
    path: String, _ schema: DatabaseSchema, reading queries: [String], on loop: EventLoop,
    _ answered: @escaping (_ number: UInt64, DatabaseError?) -> Void
  ) throws(SystemError) {
    let exchange = try Exchange()
    try WorkerThread.start { work(at: path, schema, queries, exchange) }
    exchange.answers.wait()
    content =
      exchange.shared.withLock { $0.content.take() } ?? .failure(.failed("it was not opened"))
    self.exchange = exchange
    self.answered = answered
    watch = try EventLoop.Watch(exchange.answers.number, for: .read, on: loop) {
      [unowned self] _ in deliverAnswers()
    }
  }

  /// The last changes are still written, as far as half a second goes.
  deinit {
    exchange.shared.withLock { $0.isClosing = true }
    exchange.jobs.raise()
    exchange.closed.wait(milliseconds: 500)
  }

  /// It has been taken over: it is as large as the database.
  package func forgetContent() { content = .success(Content(tables: [], trouble: nil)) }

  /// Writes all of it or nothing, and then says so. `erases`: what it removes is to be gone from the
  /// disk too. What need not outlast a loss of power does not wait for the disk; it outlasts the program,
  /// and reaches the disk with what does.
  package func write(
    _ statements: [DatabaseStatement], number: UInt64, erases: Bool = false,
    outlastsPower: Bool = true
  ) {
    let job = Job(
      number: number, statements: statements, erases: erases, outlastsPower: outlastsPower)
    exchange.shared.withLock { shared in
      if shared.waiting < Shared.most {
        shared.waiting += 1
        shared.jobs.append(job)
      } else {
        shared.answers.append(.written(number, .tooSlow))
        exchange.answers.raise()
      }
    }
    exchange.jobs.raise()
  }

  /// Reads what all that was given before leaves.
  package func read(
    _ question: DatabaseStatement,
    _ body: @escaping (Result<[[DatabaseValue]], DatabaseError>) -> Void
  ) {
    readers.append(body)
    exchange.shared.withLock { $0.jobs.append(Job(question: question)) }
    exchange.jobs.raise()
  }

  private func deliverAnswers() {
    exchange.answers.drain()
    let (answers, isRestored) = exchange.shared.withLock { shared in
      defer { (shared.answers, shared.isRestored) = ([], false) }
      return (shared.answers, shared.isRestored)
    }
    if isRestored { restored() }
    for answer in answers {
      switch answer {
      case .written(let number, let error): answered(number, error)
      case .read(let rows): readers.removeFirst()(rows)
      }
    }
  }
}

private struct Job: Sendable {
  var number: UInt64 = 0
  var statements: [DatabaseStatement] = []
  var erases = false
  var outlastsPower = true
  /// Where it reads rather than writes.
  var question: DatabaseStatement?
}

private enum Answer: Sendable {
  case written(UInt64, DatabaseError?)
  case read(Result<[[DatabaseValue]], DatabaseError>)
}

/// The state that the two threads share.
private struct Shared: Sendable {
  static let most = 10_000

  var content: Result<DatabaseWriter.Content, DatabaseError>?
  var jobs: [Job] = []
  /// Jobs given and not answered.
  var waiting = 0
  var answers: [Answer] = []
  var isRestored = false
  var isClosing = false
}

/// The two threads, each of which wakes the other.
private final class Exchange: Sendable {
  let shared = Mutex(Shared())
  let jobs: EventCounter
  let answers: EventCounter
  let closed: EventCounter

  init() throws(SystemError) {
    jobs = try EventCounter()
    answers = try EventCounter()
    closed = try EventCounter()
  }
}

// MARK: - On the writer's thread

private func work(
  at path: String, _ schema: DatabaseSchema, _ queries: [String], _ exchange: Exchange
) {
  var file = OpenDatabase(path: path, schema: schema, queries: queries)
  let content = file.open()
  exchange.shared.withLock { $0.content = content }
  exchange.answers.raise()

  while true {
    exchange.jobs.wait()
    let (jobs, isClosing) = exchange.shared.withLock { shared in
      defer { shared.jobs = [] }
      return (shared.jobs, shared.isClosing)
    }
    let answers = file.handle(jobs)
    exchange.shared.withLock { shared in
      shared.waiting -= jobs.count { $0.question == nil }
      if file.isRestored { shared.isRestored = true }
      shared.answers += answers
    }
    if !jobs.isEmpty { exchange.answers.raise() }
    file.isRestored = false
    if isClosing { break }
  }
  file.database = nil
  exchange.closed.raise()
}

/// The database, or why there is none.
private struct OpenDatabase {
  let path: String
  let schema: DatabaseSchema
  let queries: [String]
  var database: Database?
  /// It was written anew.
  var isRestored = false
  private var trouble: DatabaseError?

  init(path: String, schema: DatabaseSchema, queries: [String]) {
    self.path = path
    self.schema = schema
    self.queries = queries
  }

  mutating func open() -> Result<DatabaseWriter.Content, DatabaseError> {
    do throws(DatabaseError) {
      let opened: Database
      do throws(DatabaseError) {
        opened = try Database(path: path, schema)
        trouble = nil
      } catch {
        guard error == .readOnly else { throw error }
        trouble = error
        opened = try Database(reading: path, schema)
      }
      var tables: [[[DatabaseValue]]] = []
      for query in queries { tables.append(try opened.rows(query)) }
      database = opened
      return .success(.init(tables: tables, trouble: trouble))
    } catch {
      trouble = error
      return .failure(error)
    }
  }

  /// A full disk may have room by now. Nobody waits for what is in it any more, so it has to be empty.
  private mutating func reopenAfterFailure() {
    guard database == nil, trouble?.mayPass == true, case .success(let content) = open()
    else { return }
    if content.tables.contains(where: { !$0.isEmpty }) {
      trouble = .unread
      database = nil
    }
  }

  /// In order: what is written between two questions is written together.
  mutating func handle(_ jobs: [Job]) -> [Answer] {
    var answers: [Answer] = []
    var rest = jobs[...]
    while let job = rest.first {
      if let question = job.question {
        rest.removeFirst()
        answers.append(.read(read(question)))
      } else {
        let writes = Array(rest.prefix { $0.question == nil })
        rest = rest.dropFirst(writes.count)
        for (job, error) in zip(writes, write(writes)) {
          answers.append(.written(job.number, error))
        }
      }
    }
    return answers
  }

  private func read(_ question: DatabaseStatement) -> Result<[[DatabaseValue]], DatabaseError> {
    guard let database else { return .failure(trouble ?? .unread) }
    do throws(DatabaseError) {
      return .success(try database.rows(question.sql, question.values))
    } catch {
      return .failure(error)
    }
  }

  /// Together if it goes; else one by one, so that one that cannot be written spoils no other.
  private mutating func write(_ jobs: [Job]) -> [DatabaseError?] {
    if !jobs.isEmpty { reopenAfterFailure() }
    guard !jobs.isEmpty, trouble == nil else { return jobs.map { _ in trouble } }
    let errors = attempt(jobs)
    guard let lost = verifyPath() else { return errors }
    return errors.map { $0 ?? lost }
  }

  private func attempt(_ jobs: [Job]) -> [DatabaseError?] {
    guard let database else { return jobs.map { _ in .unread } }
    guard let together = database.attempt(jobs[...]) else { return jobs.map { _ in nil } }
    guard jobs.count > 1 else { return [together] }
    return jobs.indices.map { database.attempt(jobs[$0...$0]) }
  }

  /// The reason why the next start would not find what is answered as written; nil where it would.
  private mutating func verifyPath() -> DatabaseError? {
    do throws(DatabaseError) {
      guard try database?.hasMoved() == true else { return nil }
    } catch {
      return error
    }
    // Closed before another of its name is opened.
    database = nil
    do throws(DatabaseError) {
      database = try Database(path: path, schema)
      isRestored = true
      return nil
    } catch {
      trouble = error
      return error
    }
  }
}

extension Database {
  fileprivate func attempt(_ jobs: ArraySlice<Job>) -> DatabaseError? {
    do throws(DatabaseError) {
      try setOutlastsPower(jobs.contains(where: \.outlastsPower))
      try transaction { () throws(DatabaseError) in
        for job in jobs {
          for statement in job.statements { try run(statement) }
        }
      }
    } catch {
      return error
    }
    // Removed rows still stand in the log of changes, until that is emptied, and their room is given back.
    // The removal is written already: where this fails, it is done with the next.
    if jobs.contains(where: \.erases) {
      do throws(DatabaseError) {
        try execute("PRAGMA incremental_vacuum")
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
      } catch {}
    }
    return nil
  }
}
