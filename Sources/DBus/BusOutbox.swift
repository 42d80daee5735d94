internal import Glibc

/// Signals and answers on their way to the bus.
///
/// It goes past libdbus, which needs several times as long for a signal and takes none back: what is for
/// many goes in few writes, and what the bus has not taken yet can be forgotten. Both write whole
/// messages into the same socket, one when the other is done: see `flush`. A message that is longer than
/// one write waits here, too, and is libdbus's once its turn has come.
struct BusOutbox {
  /// The kind of a message, by which it is taken back.
  enum Kind {
    case signal(BusRecipient)
    /// The answer to a question for properties, and how to refuse it instead.
    case properties(of: String, serial: UInt32)
    case other
  }

  enum Flushed {
    /// There is nothing left.
    case all
    /// The bus takes no more for now.
    case some
    /// A message longer than `longest` is next, and is the caller's now.
    case long([UInt8])
    /// It took half a message, which may not be: Unix sockets take what fits a buffer of the kernel
    /// wholly or not at all.
    case half
  }

  /// A longer message would not fit such a buffer.
  static let longest = 32 << 10

  private var bytes: [UInt8] = []
  private var entries: [(kind: Kind, count: Int)] = []
  /// In the upper half, where libdbus does not get to: a *no* of the bus to one of these is not taken
  /// for an answer to one of its calls.
  private var serial: UInt32 = 1 << 31

  /// Bytes that the bus has not taken yet.
  var count: Int { bytes.count }
  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(_ signal: BusSignal, to recipient: BusRecipient) {
    let before = bytes.count
    signal.write(to: recipient, serial: nextSerial(), into: &bytes)
    entries.append((.signal(recipient), bytes.count - before))
  }

  /// A message made with `nextSerial`.
  mutating func add(_ message: [UInt8], _ kind: Kind) {
    bytes.append(contentsOf: message)
    entries.append((kind, message.count))
  }

  mutating func nextSerial() -> UInt32 {
    defer { serial = serial == .max ? 1 << 31 : serial + 1 }
    return serial
  }

  /// Puts into a socket what it takes. Nobody else may have put half a message into it.
  mutating func flush(into socket: Int32) -> Flushed {
    var sent = 0
    var entry = 0
    defer {
      if sent == bytes.count {
        bytes.removeAll(keepingCapacity: bytes.count <= Self.longest)
        entries.removeAll(keepingCapacity: true)
      } else {
        bytes.removeFirst(sent)
        entries.removeFirst(entry)
      }
    }
    while entry < entries.count {
      var piece = 0
      var next = entry
      while next < entries.count, piece + entries[next].count <= Self.longest {
        piece += entries[next].count
        next += 1
      }
      if piece == 0 {
        guard Self.hasRoom(socket) else { return .some }
        let start = sent
        sent += entries[entry].count
        entry += 1
        return .long(Array(bytes[start..<sent]))
      }
      let result = bytes.withUnsafeBytes {
        send(socket, $0.baseAddress?.advanced(by: sent), piece, Int32(MSG_NOSIGNAL))
      }
      if result != piece {
        guard result <= 0 else { return .half }
        // A socket that is broken is libdbus's to find so.
        return .some
      }
      sent += piece
      entry = next
    }
    return .all
  }

  /// True where most of a socket's buffer is free: it holds a message of 100 KiB wholly.
  private static func hasRoom(_ socket: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Forgets the signals to that one, and refuses what its owner asked properties for.
  mutating func purge(_ recipient: BusRecipient, owner: String) {
    guard !isEmpty else { return }
    let all = entries
    let old = bytes
    bytes = []
    entries = []
    var start = 0
    for (kind, count) in all {
      let message = old[start..<start + count]
      start += count
      switch kind {
      case .signal(let other) where other === recipient: break
      case .properties(of: let asker, let serial) where asker == owner:
        add(Self.refusal(nextSerial(), of: serial, to: owner, .failed("not any more")), .other)
      default: add(Array(message), kind)
      }
    }
  }

  static func answer(
    _ serial: UInt32, to call: UInt32, of sender: String, _ type: String,
    _ write: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) -> [UInt8] {
    var body = BusWriter()
    try write(&body)
    guard body.signature.elementsEqual(type.utf8) else {
      let written = String(decoding: body.signature, as: UTF8.self)
      throw .failed("an answer of \(written), not \(type)")
    }
    var frame = BusFrame()
    frame.add(answering: call)
    frame.add(destination: sender.utf8)
    return frame.message(.reply, serial: serial, body)
  }

  static func refusal(
    _ serial: UInt32, of call: UInt32, to sender: String, _ error: BusError
  ) -> [UInt8] {
    let error = BusSyntax.isError(error.name) ? error : .failed(error.message)
    var body = BusWriter()
    try? body.string(error.message.filter { $0 != "\0" })
    var frame = BusFrame()
    frame.add(error: error.name.utf8)
    frame.add(answering: call)
    frame.add(destination: sender.utf8)
    return frame.message(.error, serial: serial, body)
  }
}
