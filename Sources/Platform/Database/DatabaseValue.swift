internal import Glibc

/// A column's value.
package enum DatabaseValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])
}

extension DatabaseValue {
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  package var blob: [UInt8]? {
    if case .blob(let value) = self { value } else { nil }
  }
}

/// One statement and what stands for its question marks.
package struct DatabaseStatement: Equatable, Sendable {
  package var sql: String
  package var values: [DatabaseValue]

  package init(_ sql: String, _ values: [DatabaseValue] = []) {
    self.sql = sql
    self.values = values
  }
}

/// A database's form, and the program that it belongs to.
package struct DatabaseSchema: Sendable {
  /// A file that carries another number was made by another program.
  package var application: Int32
  /// How version n becomes n + 1: there are as many versions as steps.
  package var steps: [String]
  /// A file of more bytes is not read through at the start.
  package var mostChecked: Int64

  package init(application: Int32, steps: [String], mostChecked: Int64 = .max) {
    self.application = application
    self.steps = steps
    self.mostChecked = mostChecked
  }
}

/// Why a database cannot be used, or cannot be written.
package enum DatabaseError: Error, Equatable, Sendable {
  /// It was made by a newer program.
  case newer(version: Int64)
  /// It is another program's, or no database.
  case foreign
  /// The content makes no sense.
  case broken(String)
  case readOnly
  case full
  /// Another process has it.
  case taken
  /// So much waits to be written that no more is taken.
  case tooSlow
  /// While it was open, another was put in its place.
  case replaced
  /// It could be opened at last, but holds what has not been read.
  case unread
  /// What was asked took too long.
  case interrupted
  case failed(String)
}

extension DatabaseError {
  package init(_ error: SystemError) {
    self = error.number == ENOSPC || error.number == EDQUOT ? .full : .failed("\(error)")
  }

  /// It may go later, without anybody touching the file.
  package var mayPass: Bool {
    switch self {
    case .full, .taken, .tooSlow, .replaced, .interrupted, .failed: true
    case .newer, .foreign, .broken, .readOnly, .unread: false
    }
  }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .newer(let version): "a newer locationd wrote it (version \(version) of its tables)"
    case .foreign: "it is no database of locationd"
    case .broken(let what): "it is broken (\(what))"
    case .readOnly: "it may only be read"
    case .full: "the disk is full"
    case .taken: "another locationd uses it"
    case .tooSlow: "the disk does not keep up"
    case .interrupted: "it took too long"
    case .replaced:
      "another file was put in its place while locationd ran, which has to start again"
    case .unread: "it could not be read when locationd started, which has to start again"
    case .failed(let what): what
    }
  }
}
