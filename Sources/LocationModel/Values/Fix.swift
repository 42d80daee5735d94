/// What a receiver said of one epoch: a location, and what it rests on.
package struct Fix: Equatable, Sendable {
  /// How the receiver came to its place.
  package enum Kind: String, Sendable {
    case autonomous, differential, precise, rtkFixed, rtkFloat, estimated, manual, simulated
  }

  /// Its `source` and `simulated` are the source's to fill in.
  package var location: Location
  package var kind: Kind
  package var satellitesUsed: Int?
  package var satellitesInView: Int?
  package var horizontalDilution: Double?

  package init(_ location: Location, kind: Kind = .autonomous) {
    self.location = location
    self.kind = kind
  }
}
