import LocationModel

extension LocationService {
  package struct Settings: Sendable {
    package var version: String
    /// The daemon's own user.
    package var uid: UInt32
    package var sources: [SourceDescription]
    /// The name of our own command line, which asks about itself on its terminal.
    package var controlApp: String?
    package var limits = Limits()
    /// How long sources stay open after the last need: a client that asks every second reopens none.
    package var linger: Duration = .seconds(5)
    package var duty = Duty.Settings()
    package var places = FixedPlaces()
    /// The last place is kept over a restart, and told where no source says one.
    package var remembersPlace = false
    /// Networks are learnt where good fixes say the place.
    package var learnsNetworks = false
    /// Random, of this run of the daemon: the salts of learnt networks come from it.
    package var secret = NetworkSalt(0, 0)
    /// Impossible fixes are left out, and vague ones smoothed.
    package var isFiltered = true
    /// From UTC to the clock on the wall, by which days begin.
    package var localOffset: Duration = .zero
    package var policy = Policy()
    package var use = UseRule.connected
    /// The time that an app may stay in use though nobody looks.
    package var longestHold: Duration = .seconds(14_400)

    package init(version: String, uid: UInt32, sources: [SourceDescription]) {
      self.version = version
      self.uid = uid
      self.sources = sources
    }
  }
}

extension LocationService {
  /// A new limit takes nothing away that is over it already.
  mutating func configure(
    _ settings: Settings, at now: Instant, into outputs: inout [Output]
  ) {
    self.settings = settings
    monitoring.limits = settings.limits
    permissions.configure(settings, clients, into: &outputs)
    radio.configure(settings)
    history.localOffset = settings.localOffset
    history.mostApps = settings.limits.appsPerUser
    let hadAllFailed = sources.table.haveAllFailed
    sources.configure(settings, at: now, into: &outputs)
    if !hadAllFailed { delivery.deliverNoSource(sources, at: now, into: &outputs) }
    admit(at: now, into: &outputs)
  }
}
