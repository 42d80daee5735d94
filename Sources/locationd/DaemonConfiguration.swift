import Console
import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

// The configuration is used, and used anew.
extension Daemon {
  /// No client notices.
  func reload() {
    reader.reload(log) { (new) throws(SystemError) in
      try use(new)
      if new.socket != configuration.socket || new.bus != configuration.bus
        || new.geoclue != configuration.geoclue
      {
        log.warning("another socket or bus, or GeoClue's name, is used only after a restart")
      }
      if new.state != configuration.state {
        log.warning("another place for permissions is used only after a restart")
      }
      configuration = new
    }
  }

  /// The door behind the socket's, for locationd-share.
  func openShare(_ identifier: Identifier, hasAgent: @escaping (UInt32) -> Bool) {
    doors.share = ShareDoor(identifier, log) { [unowned self] in
      post($0)
    } sky: { [unowned self] in
      registry[$0]?.details.satellites ?? []
    } isLoop: { [unowned self] way in
      registry.sources.contains { $0.isLoop(way) }
    } hasAgent: {
      hasAgent($0)
    }
    doors.socket?.share = doors.share
  }

  func use(_ configuration: Configuration) throws(SystemError) {
    let file = ModemFile(in: StatePlace.chosen(self.configuration.state).place, log)
    let onBus = configuration.bus.map { [SourceURL.compass($0), .beacons] } ?? []
    try registry.change(to: configuration.usedSources + onBus) {
      [unowned self] (url, id) throws(SystemError) in
      let context = SourceContext(id: id, loop: loop, resolver: resolver) { [unowned self] in
        post($0)
      }
      return try makeSource(url, in: context, memory, doors.bus?.connection, file)
    }
    let hasModem = configuration.usedSources.contains { $0.kind == .modem }
    mender = hasModem || file.debt == nil ? nil : try makeMender(file)
    if configuration.usedSources.isEmpty {
      log.warning("the configuration names no source, so there will be no location")
    }
    log.level = configuration.logLevel
    doors.socket?.limits = configuration.door
    doors.bus?.use(configuration)
    _ = files.refresh()
    doors.share?.endLoops()
    post(.configured(settings(configuration)))
    watchSessions(configuration.usedRule)
    registry.removeLeaving()
    journal?.keep(registry.descriptions.map(\.id))
  }

  private func makeMender(_ file: ModemFile) throws(SystemError) -> ModemSource {
    let context = SourceContext(id: SourceID(-1), loop: loop, resolver: resolver) { _ in }
    return try ModemSource(
      file.debt?.identity, in: context, memory, doors.bus?.connection, file)
  }

  /// Ends once each source has put back what it has changed, or a moment later.
  func end() {
    post(.ending)
    guard ending == nil else { return loop.end(log) }
    ending = try? EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in
      loop.end(log)
    }
    ending?.set(Clock.boottime + .milliseconds(700))
    var left = registry.sources.count
    if left == 0 { loop.end(log) }
    for source in registry.sources {
      source.leave { [unowned self] in
        left -= 1
        if left == 0 { loop.end(log) }
      }
    }
  }

  func settings(_ configuration: Configuration) -> LocationService.Settings {
    var settings = configuration.settings(sources: registry.descriptions)
    settings.places = files.places
    settings.secret = secret
    settings.localOffset = files.localOffset
    return settings
  }

  private func watchSessions(_ rule: UseRule) {
    guard rule == .logind else {
      sessions = nil
      return
    }
    guard sessions == nil else { return }
    guard let bus = doors.bus?.connection else {
      log.warning("without a bus there is no logind, so no app counts as in use")
      return
    }
    do throws(BusError) {
      sessions = try Sessions(on: bus, log) { [unowned self] in post(.present($0)) }
    } catch {
      log.error("cannot ask logind, so no app counts as in use: \(error)")
    }
  }
}

extension Configuration {
  func settings(sources: [SourceDescription]) -> LocationService.Settings {
    var settings = LocationService.Settings(version: version, uid: Process.uid, sources: sources)
    settings.controlApp = Process.folder.map { "exe:\($0)/locationctl" }
    settings.limits = service
    settings.limits.bytesPerUser = door.bytesPerUser
    settings.use = usedRule
    settings.remembersPlace = remembersPlace
    settings.learnsNetworks = remembersPlace && learnsNetworks
    settings.policy = policy
    settings.longestHold = .seconds(longestHold)
    settings.linger = .seconds(linger)
    settings.duty.longestPause = .seconds(longestPause)
    settings.duty.search = .seconds(search)
    return settings
  }
}
