import Console
import Glibc
import LocationClient
import LocationModel
import PlaceCore
import Platform

/// A table of questions in, the same with answers out, in its order. So many are asked ahead that the service always has
/// one to answer; only the disk is asked.
final class BatchRun {
  private let kind: BatchTable.Kind
  private let columns: [String]
  private let options: PlaceOptions
  private let inquiry: Inquiry
  private let path: String
  private var input: Descriptor?
  private var reader = CSVReader(longest: 1 << 16)
  private var table: BatchTable?
  /// Rows that are not written yet, the oldest first, and their answers.
  private var rows: [(row: CSVReader.Row, answer: Result<Placemark, Refusal>?)] = []
  private var written = 0
  private var unknown = 0
  private var lost: ConnectionError?
  private var output = TextBuffer(capacity: 1 << 16)

  private static let ahead = 64
  private static let chunk = 1 << 14

  /// `columns`: the names of those that ask.
  init(_ kind: BatchTable.Kind, columns: [String], _ options: PlaceOptions, places path: String) {
    (self.kind, self.columns, self.path) = (kind, columns, path)
    self.options = options
    inquiry = Inquiry(path)
  }

  func run(_ file: String) throws(Failure) {
    guard file != "-" else { return try run(on: STDIN_FILENO) }
    do throws(SystemError) { input = try Descriptor(reading: file) } catch {
      throw Failure(.failed, SystemError(file.plain(atMost: 200), error.number).description)
    }
    try run(on: input?.number ?? -1)
  }

  private func run(on input: Int32) throws(Failure) {
    var progress = BatchProgress(of: input)
    while let chunk = try read(input) {
      for row in reader.read(chunk) { try take(row) }
      progress.add(chunk.count)
      progress.show(written, unknown)
    }
    if let row = reader.end() { try take(row) }
    while !rows.isEmpty { try settle() }
    try flush()
    progress.end()
    guard table != nil else { throw Failure(.usage, "there is nothing in it") }
    if unknown > 0 { Output.complain("\(unknown) of \(Count(written, "line")) have no answer") }
  }

  /// Nil at the end. Answers that come while nothing is there to be read are written.
  private func read(_ input: Int32) throws(Failure) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      if rows.isEmpty { try flush() }
      var entries = [input, inquiry.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&entries, nfds_t(entries.count), 1000)
      if !rows.isEmpty, entries[0].revents == 0 { try settle() }
      guard entries[0].revents != 0 else { continue }
      let count = Glibc.read(input, &bytes, bytes.count)
      if count > 0 { return Array(bytes[..<count]) }
      if count == 0 { return nil }
      guard errno == EINTR || errno == EAGAIN else {
        throw Failure(.failed, String(cString: strerror(errno)))
      }
    }
  }

  private func take(_ row: CSVReader.Row) throws(Failure) {
    guard let table else { return try begin(row) }
    while rows.count >= Self.ahead { try settle() }
    let number = written + rows.count
    switch table.question(of: row) {
    case .failure(let refusal): rows.append((row, .failure(refusal)))
    case .success(let call):
      rows.append((row, nil))
      inquiry.ask(call.method, call.parameters, within: .seconds(Peer.places.patience)) {
        [unowned self] in
        accept($0, of: number, call)
      }
    }
    try write()
  }

  private func begin(_ row: CSVReader.Row) throws(Failure) {
    guard case .fields(let header) = row else {
      throw Failure(.usage, "its first line is too long")
    }
    do throws(Refusal) {
      let table = try BatchTable(
        kind, header: header, columns: columns, separator: reader.separator ?? CSV.comma, options)
      self.table = table
      output.append(table.headerLine)
    } catch { throw Failure(.usage, error.message) }
  }

  private func accept(_ answer: Inquiry.Answer, of number: Int, _ call: PlaceRequest) {
    let index = number - written
    guard rows.indices.contains(index) else { return }
    let reply = answer.flatMap { call.read($0) }
    switch reply {
    case .success(let reply):
      rows[index].answer =
        reply.found.first.map { .success($0) }
        ?? .failure(Refusal(.geocodeFoundNoResult, "There is no such place."))
    case .failure(.refused(let refusal)): rows[index].answer = .failure(refusal)
    case .failure(.lost(let error)): lost = error
    }
  }

  /// Waits for an answer, and writes what is whole.
  private func settle() throws(Failure) {
    if rows.first?.answer == nil, let descriptor = inquiry.descriptor {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 1000)
      inquiry.step()
    }
    try write()
  }

  private func write() throws(Failure) {
    if let lost { throw Failure(lost, of: .places, at: path) }
    guard let table else { return }
    let whole = rows.prefix { $0.answer != nil }
    for (row, answer) in whole {
      guard let answer else { continue }
      if case .failure = answer { unknown += 1 }
      output.append(table.line(row, answer))
    }
    written += whole.count
    rows.removeFirst(whole.count)
    if output.count >= Self.chunk { try flush() }
  }

  private func flush() throws(Failure) {
    try Output.write(output.bytes)
    output.removeAll()
  }
}

/// How far a batch is, on the terminal of standard error, where the answers go elsewhere.
struct BatchProgress {
  private let size: Int64?
  private let isShown: Bool
  private var done: Int64 = 0
  private var next = Double.seconds

  private static let pause = 0.2

  init(of input: Int32) {
    var status = stat()
    let isFile = fstat(input, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile && status.st_size > 0 ? Int64(status.st_size) : nil
    isShown = Output.canShowProgress
  }

  mutating func add(_ bytes: Int) { done += Int64(bytes) }

  mutating func show(_ lines: Int, _ unknown: Int) {
    guard isShown, Double.seconds >= next else { return }
    next = Double.seconds + Self.pause
    let share = size.map { "\(min(100, done * 100 / $0)) %, " } ?? ""
    Output.show(progress: "\(share)\(Count(lines, "line")), \(unknown) without an answer")
  }

  func end() {
    if isShown { Output.show(progress: "") }
  }
}
