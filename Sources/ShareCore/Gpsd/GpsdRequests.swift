package import LocationModel

/// A request of gpsd's protocol.
package enum GpsdRequest: Equatable, Sendable {
  case version, devices, poll
  /// Nil asks how it stands.
  case watch(JSON?)
  case device(JSON?)
  /// No request of gpsd's; its text, cut.
  case unknown(String)
  /// Braces around no JSON, after the name.
  case malformed(String)
}

/// Cuts the bytes of a client into requests.
///
/// Programs end a request with a semicolon, a line feed, both or neither, and send two in a packet or each byte by
/// itself: a name ends where no letter follows, an argument with its last brace. Text that is no request is passed
/// over.
package struct GpsdRequests: Sendable {
  private var bytes: [UInt8] = []
  /// Bytes of one request that is too long are passed over up to the next line.
  private var isSkipping = false
  /// A name at the end of the bytes has been answered; what follows may still belong to it.
  private var hasRested = false
  /// An equals sign has come.
  private var argument: Argument?

  /// gpsd takes no longer one.
  static let longest = 4096

  package init() {}

  package var held: Int { bytes.count }

  /// The name at hand is whole if nothing follows it.
  package var mayRest: Bool { !hasRested && !isSkipping && Self.names[name] != nil }

  package mutating func read(
    _ more: UnsafeRawBufferPointer, into requests: inout [GpsdRequest]
  ) {
    for byte in more {
      if isSkipping {
        isSkipping = byte != UInt8(ascii: "\n")
      } else if !bytes.isEmpty || byte == UInt8(ascii: "?") {
        add(byte, &requests)
      }
    }
  }

  /// Takes the name as whole: nothing has followed for a while.
  package mutating func rest(into requests: inout [GpsdRequest]) {
    guard mayRest, let request = Self.names[name] else { return }
    requests.append(request)
    hasRested = true
  }
}

extension GpsdRequests {
  private static let names: [String: GpsdRequest] = [
    "VERSION": .version, "DEVICES": .devices, "POLL": .poll, "WATCH": .watch(nil),
    "DEVICE": .device(nil),
  ]

  /// The letters so far, if there is nothing else.
  private var name: String {
    guard bytes.count > 1, bytes.count < 16, bytes.dropFirst().allSatisfy(Self.isLetter) else {
      return ""
    }
    return String(decoding: bytes.dropFirst(), as: UTF8.self)
  }

  /// No longer name begins like this one, and it has no argument.
  private var isWhole: Bool {
    switch bytes.count {
    case 5: name == "POLL"
    case 8: name == "VERSION" || name == "DEVICES"
    default: false
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private mutating func add(_ byte: UInt8, _ requests: inout [GpsdRequest]) {
    if argument != nil {
      bytes.append(byte)
      if argument?.ends(with: byte) == true { return end(&requests) }
    } else {
      switch byte {
      case UInt8(ascii: ";"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return end(&requests)
      case UInt8(ascii: "?") where !bytes.isEmpty: end(&requests)
      case UInt8(ascii: "="): argument = Argument()
      default: break
      }
      if hasRested {
        // The request was answered, and is over, unless this byte belongs to it.
        guard byte == UInt8(ascii: "=") || Self.isLetter(byte) else { return clear() }
        hasRested = false
      }
      bytes.append(byte)
      if isWhole { rest(into: &requests) }
    }
    guard bytes.count >= Self.longest else { return }
    requests.append(.unknown(text))
    clear()
    isSkipping = true
  }

  private var text: String { String(decoding: bytes.prefix(60), as: UTF8.self) }

  private mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.count < 512)
    argument = nil
    hasRested = false
  }

  private mutating func end(_ requests: inout [GpsdRequest]) {
    defer { clear() }
    guard !hasRested else { return }
    let parts = bytes.dropFirst().split(separator: UInt8(ascii: "="), maxSplits: 1)
    let name = String(decoding: parts.first ?? [], as: UTF8.self)
    guard name == "WATCH" || name == "DEVICE", parts.count == 2 else {
      let known = parts.count == 1 ? Self.names[name] : nil
      requests.append(known ?? .unknown(text))
      return
    }
    let json = parts[1].withUnsafeBytes { try? JSON(parsing: $0) }
    guard let json, json.members != nil else { return requests.append(.malformed(name)) }
    requests.append(name == "WATCH" ? .watch(json) : .device(json))
  }
}

/// The depth of an argument's braces. Braces inside of strings do not count.
private struct Argument {
  private var depth = 0
  private var isString = false
  private var isEscaped = false

  /// Also where it does not begin with a brace.
  mutating func ends(with byte: UInt8) -> Bool {
    if isEscaped {
      isEscaped = false
      return false
    }
    if isString {
      isEscaped = byte == UInt8(ascii: "\\")
      isString = byte != UInt8(ascii: "\"")
      return false
    }
    switch byte {
    case UInt8(ascii: "\"") where depth > 0: isString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: break
    }
    return depth <= 0
  }
}
