import LocationModel

extension LocationService {
  package struct Settings: Sendable {
    package var version: String
    /// The daemon's own user.
    package var uid: UInt32
    package var sources: [SourceDescription]
    package var limits = Limits()
    /// How long sources stay open after the last need, in nanoseconds: a client that asks every
    /// second reopens none.
    package var linger: Int64 = 5_000_000_000
    package var duty = Duty.Settings()
    /// Whether fixes that are physically impossible are left out, and vague ones calmed.
    package var isFiltered = true
    package var policy = Policy()
    package var use = UseRule.connected
    /// Nanoseconds that an app may stay in use though nobody looks.
    package var longestHold: Int64 = 14_400_000_000_000

    package init(version: String, uid: UInt32, sources: [SourceDescription]) {
      self.version = version
      self.uid = uid
      self.sources = sources
    }
  }
}
