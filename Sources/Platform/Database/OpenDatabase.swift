/// The database, or why there is none.
struct OpenDatabase {
  let path: String
  let schema: DatabaseSchema
  let queries: [String]
  var database: Database?
  /// The file was written anew.
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
      // These are not asked again.
      opened.file.forgetStatements()
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
  mutating func handle(_ jobs: [DatabaseWriter.Job]) -> [DatabaseWriter.Answer] {
    var answers: [DatabaseWriter.Answer] = []
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
  private mutating func write(_ jobs: [DatabaseWriter.Job]) -> [DatabaseError?] {
    if !jobs.isEmpty { reopenAfterFailure() }
    guard !jobs.isEmpty, trouble == nil else { return jobs.map { _ in trouble } }
    let errors = attempt(jobs)
    guard let lost = verifyPath() else { return errors }
    return errors.map { $0 ?? lost }
  }

  private func attempt(_ jobs: [DatabaseWriter.Job]) -> [DatabaseError?] {
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
  /// All jobs, or none.
  fileprivate func attempt(_ jobs: ArraySlice<DatabaseWriter.Job>) -> DatabaseError? {
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

  /// All of it, or nothing.
  package func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    do throws(DatabaseError) {
      try execute("BEGIN IMMEDIATE")
      try body()
      try execute("COMMIT")
    } catch {
      file.rollBack()
      throw error
    }
  }

  /// Writes from now on wait until they are on the disk.
  func setOutlastsPower(_ wanted: Bool) throws(DatabaseError) {
    guard outlastsPower != wanted else { return }
    try execute("PRAGMA synchronous=\(wanted ? "FULL" : "NORMAL")")
    outlastsPower = wanted
  }

  /// Several statements without values.
  func execute(_ sql: String) throws(DatabaseError) { try file.execute(sql) }

  package func run(_ statement: DatabaseStatement) throws(DatabaseError) {
    try run(statement.sql, statement.values)
  }

  package func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    try file.each(sql, values) { _ in }
  }

  package func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    try file.rows(sql, values)
  }
}
