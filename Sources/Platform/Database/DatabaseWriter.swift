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

extension DatabaseWriter {
  struct Job: Sendable {
    var number: UInt64 = 0
    var statements: [DatabaseStatement] = []
    var erases = false
    var outlastsPower = true
    /// Where it reads rather than writes.
    var question: DatabaseStatement?
  }

  enum Answer: Sendable {
    case written(UInt64, DatabaseError?)
    case read(Result<[[DatabaseValue]], DatabaseError>)
  }
}

/// The state that the two threads share.
private struct Shared: Sendable {
  static let most = 10_000

  var content: Result<DatabaseWriter.Content, DatabaseError>?
  var jobs: [DatabaseWriter.Job] = []
  /// Jobs given and not answered.
  var waiting = 0
  var answers: [DatabaseWriter.Answer] = []
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
