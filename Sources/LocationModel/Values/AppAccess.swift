/// The accesses of an app to the place on one day, of one kind: how many, for how long, from when to when. It
/// says no place.
package struct AppAccess: Equatable, Sendable {
  package var app: String
  package var uid: UInt32
  /// Days since the Unix epoch, as the machine's clock on the wall has them.
  package var day: Int
  package var kind: Kind
  package var tally: Tally
  /// The app's name for itself and its reason: its claims, and nobody else's.
  package var claim = AppClaim()

  /// The way in which an app is told the place.
  package struct Kind: Hashable, Sendable {
    package var service: Service
    package var accuracy: AccuracyAuthorization
    /// The app was not in use.
    package var isBackground: Bool

    package init(
      _ service: Service, _ accuracy: AccuracyAuthorization = .full, isBackground: Bool = false
    ) {
      self.service = service
      self.accuracy = accuracy
      self.isBackground = isBackground
    }
  }

  package struct Tally: Equatable, Sendable {
    /// How often it began: with a first place after a minute without.
    package var accesses = 0
    package var seconds = 0.0
    package var first: Timestamp
    package var last: Timestamp

    package init(at moment: Timestamp) { (first, last) = (moment, moment) }
  }

  package init(app: String, uid: UInt32, day: Int, kind: Kind, tally: Tally) {
    self.app = app
    self.uid = uid
    self.day = day
    self.kind = kind
    self.tally = tally
  }
}

/// The words of an app about itself.
package struct AppClaim: Equatable, Sendable {
  package var name: String?
  package var purpose: String?

  package init(name: String? = nil, purpose: String? = nil) {
    self.name = name
    self.purpose = purpose
  }
}
