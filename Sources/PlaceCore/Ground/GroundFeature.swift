/// A part of the ground in one tile: an area, lines, or a point with a name.
package struct GroundFeature: Equatable, Sendable {
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bridge = Flags(rawValue: 1)
    package static let tunnel = Flags(rawValue: 2)
    /// A ramp between two roads.
    package static let link = Flags(rawValue: 4)

    /// A point's thing is 2 to the power of so many units of level 14 wide.
    package static func size(_ power: Int) -> Flags {
      Flags(rawValue: UInt8(min(max(power, 0), 15)))
    }
  }

  package var kind: GroundKind
  package var flags: Flags
  package var name: GroundName
  package var shape: Shape

  package init(
    _ kind: GroundKind, flags: Flags = [], name: GroundName = GroundName(), _ shape: Shape
  ) {
    (self.kind, self.flags, self.name, self.shape) = (kind, flags, name, shape)
  }

  /// Its kind, its flags, its name and its shape, the two latter behind their lengths.
  package var bytes: [UInt8] {
    let (text, lines) = (Array(name.text.utf8), shape.bytes)
    return [kind.rawValue, flags.rawValue] + Self.length(text.count) + text
      + Self.length(lines.count) + lines
  }

  /// Seven bits a byte, the lowest first.
  private static func length(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
