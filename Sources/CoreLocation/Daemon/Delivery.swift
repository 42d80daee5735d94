import LocationModel

/// Something that a manager, a stream of updates or a monitor is told.
enum Delivery: Sendable {
  case authorizationChanged(Situation)
  case updated(Location, Service)
  case heading(Heading)
  case visited(Visit)
  case entered(Region)
  case exited(Region)
  case determined(Region, RegionState)
  case started(Region)
  case monitoringFailed(CLRegion?, CLError)
  case failed(CLError)
  case ranged(BeaconConstraint, [Beacon])
  case rangingFailed(BeaconConstraint, CLError)
  case deferralFailed
  case paused
  case resumed
  /// The end of a single request: which one, and its location or the reason why there is none.
  case single(Int, Result<Location, CLError>)
  /// Something that the app wants called where its callbacks are.
  case completion(@Sendable () -> Void)
}

/// A delivery; one of a numbered event has a receipt, for the app to give once it has seen it.
struct NumberedDelivery: Sendable {
  var content: Delivery
  var receipt: Receipt?

  init(_ content: Delivery, _ receipt: Receipt? = nil) {
    self.content = content
    self.receipt = receipt
  }
}

/// A numbered event, as it was sent to one subscriber.
struct Receipt: Sendable {
  var event: UInt64
  var subscriber: Int
}

/// The rights of the app, as the daemon said last.
struct Standing: Equatable, Sendable {
  var authorization = Authorization.notDetermined
  var accuracy = AccuracyAuthorization.full
}

/// All that decides whether locations come.
struct Situation: Equatable, Sendable {
  var standing = Standing()
  /// The administrator's switch.
  var isEnabled = true
  var isInUse = true
  /// A person is being asked.
  var isAsking = false
}
