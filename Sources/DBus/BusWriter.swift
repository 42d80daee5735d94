/// Puts values one after another as they go over the wire: nothing is kept in between.
///
/// After an error it is of no use any more. What the code itself writes into an array is of the
/// array's type; what `append` gets is checked first.
package struct BusWriter {
  private(set) var bytes: [UInt8] = []
  /// The types of all values that are not within another one.
  private(set) var signature: [UInt8] = []
  private var depth = 0
  /// The most bytes of an array; a message may have twice as many.
  private static let most = 32 << 20

  /// `isNoting`: whether it notes the signature, which may be known.
  init(isNoting: Bool = true) {
    if !isNoting { depth = 1 }
    bytes.reserveCapacity(512)
  }

  /// In whose place another is put.
  fileprivate init(moved: Void) {}

  package mutating func string(_ text: String) throws(BusError) {
    guard !BusSyntax.hasNul(text) else { throw .invalidArguments("a string with a NUL") }
    try put(text, as: "s")
  }

  package mutating func path(_ text: String) throws(BusError) {
    try BusSyntax.check(path: text)
    try put(text, as: "o")
  }

  /// The number-th below a folder, which is one of the code's own and right.
  package mutating func path(_ folder: StaticString, _ number: UInt64) throws(BusError) {
    note(UInt8(ascii: "o"))
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 1) { name in
      // From its end: the slash, up to twenty digits, and the NUL behind them.
      var start = name.count - 1
      var rest = number
      name[start] = 0
      repeat {
        start -= 1
        name[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      start -= 1
      name[start] = UInt8(ascii: "/")
      put(length: folder.utf8CodeUnitCount + name.count - 1 - start)
      bytes.append(contentsOf: folder.bytes)
      bytes.append(contentsOf: name[start...])
    }
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
    try array(of: type.utf8, body)
  }

  /// `a{sv}`.
  package mutating func dictionary(
    _ body: (inout BusDictionaryWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try array(of: Self.entries) { (writer) throws(BusError) in
      // It is moved there and back: two would make a copy of all that is written.
      var dictionary = BusDictionaryWriter()
      swap(&dictionary.writer, &writer)
      defer { swap(&dictionary.writer, &writer) }
      try body(&dictionary)
    }
  }

  package mutating func append(_ value: BusValue) throws(BusError) {
    try value.check(depth: 0)
    try BusSyntax.check(signature: value.type)
    try write(value)
  }
}

/// Entries of an `a{sv}`.
package struct BusDictionaryWriter {
  fileprivate var writer = BusWriter(moved: ())

  package mutating func set(_ key: StaticString, _ value: Double) throws(BusError) {
    try entry(key, value, as: "d")
  }
  package mutating func set(_ key: StaticString, _ value: Int64) throws(BusError) {
    try entry(key, value, as: "x")
  }
  package mutating func set(_ key: StaticString, _ value: UInt64) throws(BusError) {
    try entry(key, value, as: "t")
  }
  package mutating func set(_ key: StaticString, _ value: UInt32) throws(BusError) {
    try entry(key, value, as: "u")
  }
  package mutating func set(_ key: StaticString, _ value: Bool) throws(BusError) {
    try entry(key, UInt32(value ? 1 : 0), as: "b")
  }
  package mutating func set(_ key: StaticString, _ value: String) throws(BusError) {
    try entry(key.bytes, "s".utf8) { (inner) throws(BusError) in try inner.string(value) }
  }
  package mutating func set(_ key: StaticString, _ value: BusValue) throws(BusError) {
    try value.check(depth: 2)
    try entry(key.bytes, value.type.utf8) { (inner) throws(BusError) in try inner.write(value) }
  }

  /// A value that is of the property's type.
  mutating func set(_ property: BusProperty, _ value: BusValue) throws(BusError) {
    try value.check(depth: 2)
    try entry(property.name.utf8, property.type.utf8) { (inner) throws(BusError) in
      try inner.write(value)
    }
  }

  private mutating func entry(
    _ key: StaticString, _ value: some BitwiseCopyable, as type: Unicode.Scalar
  ) throws(BusError) {
    try entry(key.bytes, CollectionOfOne(UInt8(ascii: type))) { (inner) throws(BusError) in
      try inner.put(value, as: type)
    }
  }

  private mutating func entry(
    _ key: some Collection<UInt8>, _ type: some Collection<UInt8>,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try writer.entry { (entry) throws(BusError) in
      try entry.put(text: key)
      try entry.variant(of: type, body)
    }
  }
}

// MARK: - The wire

extension BusWriter {
  private static let entries = Array("{sv}".utf8)

  private mutating func align(to size: Int) {
    let gap = -bytes.count & (size - 1)
    if gap > 0 { bytes.append(contentsOf: repeatElement(0, count: gap)) }
  }

  private mutating func note(_ type: UInt8) { if depth == 0 { signature.append(type) } }

  fileprivate mutating func put<Value: BitwiseCopyable>(
    _ value: Value, as type: Unicode.Scalar
  ) throws(BusError) {
    guard bytes.count < Self.most else { throw .limitsExceeded("a message that is too long") }
    note(UInt8(ascii: type))
    align(to: MemoryLayout<Value>.size)
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  /// Without its type.
  private mutating func put(length: Int) {
    align(to: 4)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: length)) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(length: Int, at place: Int) {
    let length = UInt32(truncatingIfNeeded: length)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: length, toByteOffset: place, as: UInt32.self)
    }
  }

  private mutating func put(_ text: String, as type: Unicode.Scalar) throws(BusError) {
    note(UInt8(ascii: type))
    try put(text: text.utf8)
  }

  /// One without a NUL, without its type.
  fileprivate mutating func put(text: some Collection<UInt8>) throws(BusError) {
    let length = text.count
    guard bytes.count + length < Self.most else {
      throw .limitsExceeded("a message that is too long")
    }
    put(length: length)
    bytes.append(contentsOf: text)
    bytes.append(0)
  }

  private mutating func put(signature: some Collection<UInt8>) {
    bytes.append(UInt8(truncatingIfNeeded: signature.count))
    bytes.append(contentsOf: signature)
    bytes.append(0)
  }

  private mutating func array(
    of type: some Collection<UInt8>, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    note(UInt8(ascii: "a"))
    for character in type { note(character) }
    put(length: 0)
    let length = bytes.count - 4
    align(to: Self.alignment(of: type.first))
    let start = bytes.count
    try inside(body)
    put(length: bytes.count - start, at: length)
  }

  mutating func variant(
    of type: some Collection<UInt8>, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    note(UInt8(ascii: "v"))
    put(signature: type)
    try inside(body)
  }

  /// A structure, too, which looks the same.
  fileprivate mutating func entry(
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    align(to: 8)
    try inside(body)
  }

  private mutating func inside(
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    depth += 1
    try body(&self)
    depth -= 1
  }

  private static func alignment(of type: UInt8?) -> Int {
    switch type {
    case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
    case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
    case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("),
      UInt8(ascii: "{"):
      8
    default: 4
    }
  }

  /// Writes a value that has been checked.
  fileprivate mutating func write(_ value: BusValue) throws(BusError) {
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
    case .signature(let text):
      note(UInt8(ascii: "g"))
      put(signature: text.utf8)
    case .descriptor: throw .invalidArguments("descriptors are not sent")
    case .variant(let content):
      try variant(of: content.type.utf8) { (inner) throws(BusError) in try inner.write(content) }
    case .array(let type, let elements):
      try array(of: type.utf8) { (inner) throws(BusError) in
        for element in elements { try inner.write(element) }
      }
    case .structure(let members):
      for character in value.type.utf8 { note(character) }
      try entry { (inner) throws(BusError) in
        for member in members { try inner.write(member) }
      }
    case .entry(let key, let value):
      try entry { (inner) throws(BusError) in
        try inner.write(key)
        try inner.write(value)
      }
    }
  }
}

extension StaticString {
  /// The bytes of a literal, which is ASCII and without a NUL.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension BusValue {
  /// Refuses what the bus would end the connection for.
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
      try BusSyntax.check(signature: content.type)
    case .array(let type, let elements):
      try BusSyntax.check(signature: "a" + type)
      for element in elements {
        guard element.isOf(type) else {
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

  func isOf(_ type: String) -> Bool {
    // The most frequent type, without making its signature.
    if case .entry(.string, .variant) = self { return type == "{sv}" }
    return self.type == type
  }

  /// Whether it may stand outside a dictionary.
  private var isComplete: Bool { if case .entry = self { false } else { true } }
}
