/// The part before a message's body on the wire.
///
/// Each field starts where eight divides, so that pieces of a header can be joined as they are.
struct BusFrame {
  /// The fields so far; the last is not filled up.
  private(set) var bytes: [UInt8]

  /// Behind something else, which is filled up.
  init(after other: consuming [UInt8] = []) {
    bytes = other
    bytes.reserveCapacity(bytes.count + 192)
    fill()
  }

  // The numbers of the fields, as the specification has them.
  mutating func add(path: some Collection<UInt8>) { add(1, "o", path) }
  mutating func add(interface: some Collection<UInt8>) { add(2, "s", interface) }
  mutating func add(member: some Collection<UInt8>) { add(3, "s", member) }
  mutating func add(error: some Collection<UInt8>) { add(4, "s", error) }
  mutating func add(destination: some Collection<UInt8>) { add(6, "s", destination) }

  mutating func add(answering serial: UInt32) {
    begin(5, "u")
    put(serial)
  }

  /// None where there is no body.
  mutating func add(signature: [UInt8]) {
    guard !signature.isEmpty else { return }
    begin(8, "g")
    bytes.append(UInt8(truncatingIfNeeded: signature.count))
    bytes.append(contentsOf: signature)
    bytes.append(0)
  }

  mutating func fill() {
    bytes.append(contentsOf: repeatElement(0, count: -bytes.count & 7))
  }

  private mutating func add(
    _ number: UInt8, _ type: Unicode.Scalar, _ text: some Collection<UInt8>
  ) {
    begin(number, type)
    put(UInt32(truncatingIfNeeded: text.count))
    bytes.append(contentsOf: text)
    bytes.append(0)
  }

  private mutating func begin(_ number: UInt8, _ type: Unicode.Scalar) {
    fill()
    bytes.append(number)
    bytes.append(1)
    bytes.append(UInt8(ascii: type))
    bytes.append(0)
  }

  private mutating func put(_ number: UInt32) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  /// The first sixteen bytes of a message of so many bytes in its fields and its body.
  static func start(
    of kind: BusMessage.Kind, serial: UInt32, fields: Int, body: Int, into bytes: inout [UInt8]
  ) {
    #if _endian(little)
      let order = UInt8(ascii: "l")
    #else
      let order = UInt8(ascii: "B")
    #endif
    // Answers and signals are not answered.
    let flags: UInt8 = kind == .call ? 0 : 1
    let version: UInt8 = 1
    bytes.append(order)
    bytes.append(UInt8(kind.rawValue))
    bytes.append(flags)
    bytes.append(version)
    for number in [UInt32(truncatingIfNeeded: body), serial, UInt32(truncatingIfNeeded: fields)] {
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
  }

  /// A whole message.
  func message(_ kind: BusMessage.Kind, serial: UInt32, _ body: BusWriter) -> [UInt8] {
    var frame = self
    frame.add(signature: body.signature)
    let count = frame.bytes.count
    frame.fill()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + frame.bytes.count + body.bytes.count)
    Self.start(of: kind, serial: serial, fields: count, body: body.bytes.count, into: &bytes)
    bytes.append(contentsOf: frame.bytes)
    bytes.append(contentsOf: body.bytes)
    return bytes
  }
}
