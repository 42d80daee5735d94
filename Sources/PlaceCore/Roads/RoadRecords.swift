// How roads lie in an extract's file. Everything is little-endian and aligned to its size; places are degrees times ten
// million, lengths decimetres, times hundredths of a second. A *chain* is a piece of one road between two junctions; an
// *arc* is one direction of it: chain * 2 from its tail to its head, chain * 2 + 1 back. A *state* is an arc, or a
// copy of one that remembers by which road it was reached, for restrictions that pass over more than one junction.

/// Where roads meet or end, or something stands on one.
package struct RoadJunction: Equatable, BitwiseCopyable {
  package var latitude: Int32
  package var longitude: Int32
  /// Its first in the list of arcs that leave junctions, and in the three highest bits the modes that it stops.
  package var ends: UInt32
  /// The smallest cell that holds it.
  package var cell: UInt32

  package init(latitude: Int32, longitude: Int32, ends: UInt32, cell: UInt32 = 0) {
    (self.latitude, self.longitude) = (latitude, longitude)
    (self.ends, self.cell) = (ends, cell)
  }
}

package struct RoadChain: Equatable, BitwiseCopyable {
  package var tail: UInt32
  package var head: UInt32
  package var length: UInt32
  /// The place of its name among all names.
  package var name: UInt32
  /// Where its inner points begin; those of the next chain follow.
  package var firstPoint: UInt32
  package var kind: UInt32
  /// Directions of 256, clockwise from the north: as one leaves the tail, and as one reaches the head.
  package var bearings: (leaving: UInt8, reaching: UInt8)
  /// Seconds that lights, signs and gates take within it: on the way to the head, and back.
  package var delays: (ahead: UInt8, back: UInt8)
  /// Seconds that they take at the junction that is reached, at the head and at the tail.
  package var endDelays: (ahead: UInt8, back: UInt8)
  /// A bit for each mode whose travellers cannot come from here to most other roads.
  package var islands: UInt8
  /// A bit for each direction after which some turn of a mode is not as others.
  package var exceptional: UInt8

  package init(
    tail: UInt32, head: UInt32, length: UInt32, name: UInt32, firstPoint: UInt32, kind: UInt32
  ) {
    (self.tail, self.head, self.length, self.name) = (tail, head, length, name)
    (self.firstPoint, self.kind) = (firstPoint, kind)
    (bearings, delays, endDelays, islands, exceptional) = ((0, 0), (0, 0), (0, 0), 0, 0)
  }

  /// The bit of an arc in `exceptional`.
  @inline(__always)
  package static func exceptionBit(_ arc: UInt32, _ mode: RoadMode) -> UInt8 {
    1 << UInt8(mode.rawValue + Int(arc & 1))
  }

  package static func == (a: Self, b: Self) -> Bool {
    (a.tail, a.head, a.length, a.name, a.firstPoint, a.kind)
      == (b.tail, b.head, b.length, b.name, b.firstPoint, b.kind)
      && a.bearings == b.bearings && a.delays == b.delays && a.endDelays == b.endDelays
      && a.islands == b.islands
  }
}

/// Properties that all roads of one kind share: 14 words in the file.
package struct RoadKind: Hashable {
  package static let words = 14
  /// Hundredths of a second a kilometre that count when ways are compared: cars ahead and back, feet, bicycles. 0: no
  /// such traveller may go there.
  package var costs = [UInt32](repeating: 0, count: 6)
  /// Hundredths of a second a kilometre that the traveller takes.
  package var times = [UInt32](repeating: 0, count: 6)
  package var traits: RoadTraits = []

  package init() {}
}

package struct RoadTraits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  // The first four are what a traveller may avoid.
  package static let toll = RoadTraits(rawValue: 1 << 0)
  package static let ferry = RoadTraits(rawValue: 1 << 1)
  package static let motorway = RoadTraits(rawValue: 1 << 2)
  package static let unpaved = RoadTraits(rawValue: 1 << 3)
  static let avoidable: RoadTraits = [.toll, .ferry, .motorway, .unpaved]

  package static let roundabout = RoadTraits(rawValue: 1 << 4)
  /// A slip road.
  package static let ramp = RoadTraits(rawValue: 1 << 5)
  package static let stairs = RoadTraits(rawValue: 1 << 6)
  static let tunnel = RoadTraits(rawValue: 1 << 7)
  /// Traffic keeps to the left.
  package static let leftHand = RoadTraits(rawValue: 1 << 8)
  /// Cyclists push ahead, and back.
  static let pushedAhead = RoadTraits(rawValue: 1 << 9)
  static let pushedBack = RoadTraits(rawValue: 1 << 10)
  /// A road only for those who have business there: bit 16 + mode * 2, and one more back.
  @inline(__always)
  package static func local(_ mode: Int, isBack: Bool) -> RoadTraits {
    RoadTraits(rawValue: 1 << UInt32(16 + mode * 2 + (isBack ? 1 : 0)))
  }
}

/// How people travel, by its number in the file: 0 cars, 1 feet, 2 bicycles.
package enum RoadMode: Int, CaseIterable, Sendable {
  case car, foot, bicycle
}

/// A turn that is not as others: from a state over an arc it leads to no state, or to a copy.
package struct RoadException: Equatable, BitwiseCopyable {
  package var from: UInt32
  package var over: UInt32
  /// `forbidden`, or a copy of `over`.
  package var to: UInt32
  package static let forbidden = UInt32.max

  package init(from: UInt32, over: UInt32, to: UInt32) {
    (self.from, self.over, self.to) = (from, over, to)
  }
}
