import LocationModel
import Platform

extension Instant {
  static var now: Instant {
    let boottime = Clock.boottime
    return Instant(
      boottime: boottime, utc: Clock.utc, utcTrusted: Clock.isSet(at: boottime))
  }
}
