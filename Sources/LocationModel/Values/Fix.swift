/// One epoch of a receiver: a location, and what it rests on.
package struct Fix: Equatable, Sendable {
  /// How the receiver came to its place.
  package enum Kind: String, Sendable {
    case autonomous, differential, precise, rtkFixed, rtkFloat, estimated, manual, simulated

    package var isSimulated: Bool { self == .simulated }
  }

  /// Its `source` and `simulated` are the source's to fill in.
  package var location: Location
  package var kind: Kind
  package var satellitesUsed: Int?
  package var satellitesInView: Int?
  package var dilution = Dilution()
  package var deviations: Deviations?
  /// When the first byte of the epoch was read, by the system's clock; nil where that says nothing of the clock's
  /// error: a recording, or a date that the receiver did not say itself.
  package var received: Timestamp?

  package init(_ location: Location, kind: Kind = .autonomous) {
    self.location = location
    self.kind = kind
  }
}

/// The errors of a place, as its receiver states them in GST: standard deviations, in metres.
package struct Deviations: Equatable, Sendable {
  /// The error of the ranges to the satellites, all together.
  package var ranges: Double?
  /// Axes of the error ellipse, and the way that the longer one points, in degrees from north.
  package var major: Double?
  package var minor: Double?
  package var orientation: Double?
  package var latitude: Double?
  package var longitude: Double?
  package var altitude: Double?

  package init() {}
}

/// How much worse the places of the satellites make a fix: 1 is good, over 5 is poor.
package struct Dilution: Equatable, Sendable {
  package var horizontal: Double?
  package var vertical: Double?
  /// In all three dimensions.
  package var position: Double?

  package init(horizontal: Double? = nil, vertical: Double? = nil, position: Double? = nil) {
    self.horizontal = Self.known(horizontal)
    self.vertical = Self.known(vertical)
    self.position = Self.known(position)
  }

  /// Receivers say 0 for none.
  package static func known(_ value: Double?) -> Double? {
    value.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }
}
