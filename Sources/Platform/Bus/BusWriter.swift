internal import CDBus

/// Puts values into a message, straight: nothing is kept in between.
///
/// After an error the message is of no use any more. Elements of an array have to be of its type,
/// which libdbus insists on; what `append` gets is checked first.
package struct BusWriter {
  private var iterator = DBusMessageIter()

  init(into message: OpaquePointer) {
    dbus_message_iter_init_append(message, &iterator)
  }

  private init() {}

  package mutating func string(_ text: String) throws(BusError) {
    guard !BusSyntax.hasNul(text) else { throw .invalidArguments("a string with a NUL") }
    try put(text, as: "s")
  }

  package mutating func path(_ text: String) throws(BusError) {
    try BusSyntax.check(path: text)
    try put(text, as: "o")
  }

  package mutating func bool(_ value: Bool) throws(BusError) {
    try put(UInt32(value ? 1 : 0), as: "b")
  }

  package mutating func int32(_ value: Int32) throws(BusError) { try put(value, as: "i") }
  package mutating func uint32(_ value: UInt32) throws(BusError) { try put(value, as: "u") }
  package mutating func int64(_ value: Int64) throws(BusError) { try put(value, as: "x") }
  package mutating func uint64(_ value: UInt64) throws(BusError) { try put(value, as: "t") }
  package mutating func double(_ value: Double) throws(BusError) { try put(value, as: "d") }

  package mutating func array(
    of type: String, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try BusSyntax.check(signature: "a" + type)
    try container("a", of: type, body)
  }

  package mutating func variant(
    of type: String, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try BusSyntax.check(signature: type)
    try container("v", of: type, body)
  }

  /// `a{sv}`.
  package mutating func dictionary(
    _ body: (inout BusDictionaryWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try container("a", of: "{sv}") { (writer) throws(BusError) in
      var dictionary = BusDictionaryWriter(writer: writer)
      defer { writer = dictionary.writer }
      try body(&dictionary)
    }
  }

  package mutating func append(_ value: BusValue) throws(BusError) {
    try value.check(depth: 0)
    try write(value)
  }
}

/// Entries of an `a{sv}`.
package struct BusDictionaryWriter {
  fileprivate var writer: BusWriter

  package mutating func set(_ key: StaticString, _ value: Double) throws(BusError) {
    try entry(key, "d") { (inner) throws(BusError) in try inner.double(value) }
  }
  package mutating func set(_ key: StaticString, _ value: Int64) throws(BusError) {
    try entry(key, "x") { (inner) throws(BusError) in try inner.int64(value) }
  }
  package mutating func set(_ key: StaticString, _ value: UInt64) throws(BusError) {
    try entry(key, "t") { (inner) throws(BusError) in try inner.uint64(value) }
  }
  package mutating func set(_ key: StaticString, _ value: UInt32) throws(BusError) {
    try entry(key, "u") { (inner) throws(BusError) in try inner.uint32(value) }
  }
  package mutating func set(_ key: StaticString, _ value: Bool) throws(BusError) {
    try entry(key, "b") { (inner) throws(BusError) in try inner.bool(value) }
  }
  package mutating func set(_ key: StaticString, _ value: String) throws(BusError) {
    try entry(key, "s") { (inner) throws(BusError) in try inner.string(value) }
  }
  package mutating func set(_ key: StaticString, _ value: BusValue) throws(BusError) {
    try entry(key, value.type) { (inner) throws(BusError) in try inner.append(value) }
  }

  private mutating func entry(
    _ key: StaticString, _ type: String, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try writer.container("e", of: nil) { (entry) throws(BusError) in
      try entry.put(key)
      try entry.container("v", of: type, body)
    }
  }
}

// MARK: - What libdbus is told

extension BusWriter {
  private mutating func put<Value: BitwiseCopyable>(
    _ value: Value, as type: Unicode.Scalar
  ) throws(BusError) {
    var value = value
    guard dbus_message_iter_append_basic(&iterator, Int32(type.value), &value) != 0 else {
      throw .noMemory
    }
  }

  /// One without a NUL, as those in the code are.
  fileprivate mutating func put(_ text: StaticString) throws(BusError) {
    var start: UnsafePointer<UInt8>? = text.utf8Start
    guard dbus_message_iter_append_basic(&iterator, Int32(UInt8(ascii: "s")), &start) != 0 else {
      throw .noMemory
    }
  }

  private mutating func put(_ text: String, as type: Unicode.Scalar) throws(BusError) {
    let done = text.withCString { start in
      var start: UnsafePointer<CChar>? = start
      return dbus_message_iter_append_basic(&iterator, Int32(type.value), &start)
    }
    guard done != 0 else { throw .noMemory }
  }

  fileprivate mutating func container(
    _ type: Unicode.Scalar, of content: String?,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var inner = BusWriter()
    guard
      dbus_message_iter_open_container(
        &iterator, Int32(type.value), content, &inner.iterator) != 0
    else { throw .noMemory }
    do throws(BusError) {
      try body(&inner)
    } catch {
      dbus_message_iter_abandon_container(&iterator, &inner.iterator)
      throw error
    }
    guard dbus_message_iter_close_container(&iterator, &inner.iterator) != 0 else {
      throw .noMemory
    }
  }

  /// What has been checked.
  private mutating func write(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let value): try put(value, as: "y")
    case .bool(let value): try bool(value)
    case .int16(let value): try put(value, as: "n")
    case .uint16(let value): try put(value, as: "q")
    case .int32(let value): try int32(value)
    case .uint32(let value): try uint32(value)
    case .int64(let value): try int64(value)
    case .uint64(let value): try uint64(value)
    case .double(let value): try double(value)
    case .string(let text): try put(text, as: "s")
    case .path(let text): try put(text, as: "o")
    case .signature(let text): try put(text, as: "g")
    case .descriptor: throw .invalidArguments("descriptors are not sent")
    case .variant(let content): try container("v", of: content.type, [content])
    case .array(let type, let elements): try container("a", of: type, elements)
    case .structure(let members): try container("r", of: nil, members)
    case .entry(let key, let value): try container("e", of: nil, [key, value])
    }
  }

  private mutating func container(
    _ type: Unicode.Scalar, of content: String?, _ values: [BusValue]
  ) throws(BusError) {
    try container(type, of: content) { (inner) throws(BusError) in
      for value in values { try inner.write(value) }
    }
  }
}

extension BusValue {
  /// Refuses what libdbus would end the program for.
  fileprivate func check(depth: Int) throws(BusError) {
    guard depth <= BusReader.deepest else { throw .invalidArguments("nested too deeply") }
    switch self {
    case .string(let text) where BusSyntax.hasNul(text):
      throw .invalidArguments("a string with a NUL")
    case .path(let text): try BusSyntax.check(path: text)
    case .signature(let text): try BusSyntax.check(signature: text)
    case .descriptor: throw .invalidArguments("descriptors are not sent")
    case .variant(let content):
      guard content.isComplete else { throw .invalidArguments("a variant of a dictionary's entry") }
      try content.check(depth: depth + 1)
    case .array(let type, let elements):
      try BusSyntax.check(signature: "a" + type)
      for element in elements {
        guard element.type == type else {
          throw .invalidArguments("\(element.type) in an array of \(type)")
        }
        try element.check(depth: depth + 1)
      }
    case .structure(let members):
      guard !members.isEmpty, members.allSatisfy(\.isComplete) else {
        throw .invalidArguments("a structure of nothing, or of a dictionary's entry")
      }
      for member in members { try member.check(depth: depth + 1) }
    case .entry(let key, let value):
      guard depth > 0 else { throw .invalidArguments("a dictionary's entry without one") }
      try key.check(depth: depth + 1)
      try value.check(depth: depth + 1)
    default: break
    }
  }

  /// Whether it may stand outside a dictionary.
  private var isComplete: Bool { if case .entry = self { false } else { true } }
}
