/// The service that starts an app that is gone: one that its bus starts, or its unit.
package enum Activation: Hashable, Sendable {
  case busName(String)
  case unit(String)
}

extension Activation {
  /// Nil for what is no name that somebody can own: unique ones are nobody's tomorrow.
  package init?(busName name: String) {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.utf8.count <= 255, parts.count >= 2, name != "org.freedesktop.DBus",
      parts.allSatisfy({ part in
        part.first.map { !Self.isDigit($0) } ?? false && part.allSatisfy(Self.isNamePart)
      })
    else { return nil }
    self = .busName(name)
  }

  /// Nil for what is no service's name. A template alone cannot be started.
  package init?(unit name: String) {
    let stem = name.utf8.dropLast(Self.service.utf8.count)
    guard name.hasSuffix(Self.service), name.utf8.count <= 255, !stem.isEmpty,
      stem.first != UInt8(ascii: "@"), stem.last != UInt8(ascii: "@"),
      stem.first != UInt8(ascii: "-"), stem.first != UInt8(ascii: "."),
      stem.allSatisfy({ Self.isNamePart($0) || Self.others.contains($0) })
    else { return nil }
    self = .unit(name)
  }

  package var name: String {
    switch self {
    case .busName(let name), .unit(let name): name
    }
  }

  private static let service = ".service"
  /// The bytes that a unit's name may have beyond a bus's.
  private static let others = Array(#":.@\"#.utf8)

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: isDigit(byte)
    }
  }
}

extension Activation {
  /// `busName` or `unit`, as requests, agents and the daemon's own records have it.
  package var members: [JSON.Member] {
    switch self {
    case .busName(let name): [.init(key: "busName", value: .string(name))]
    case .unit(let name): [.init(key: "unit", value: .string(name))]
    }
  }

  /// Nil where it says neither or both, or no possible name.
  package init?(_ json: JSON) {
    switch (json["busName"]?.string, json["unit"]?.string) {
    case (let name?, nil): self.init(busName: name)
    case (nil, let name?): self.init(unit: name)
    default: return nil
    }
  }
}

extension Parameters {
  /// Nil where nothing is to be started any more.
  func activation() throws(Refusal) -> Activation? {
    switch (try text("busName"), try text("unit")) {
    case (nil, nil): return nil
    case (let name?, nil):
      guard let activation = Activation(busName: name) else {
        throw Refusal(.invalidParameters, "busName is not a name that a program can own on a bus.")
      }
      return activation
    case (nil, let name?):
      guard let activation = Activation(unit: name) else {
        throw Refusal(.invalidParameters, "unit is not the name of a service: NAME.service.")
      }
      return activation
    default:
      throw Refusal(.invalidParameters, "Give busName or unit, not both.")
    }
  }
}
