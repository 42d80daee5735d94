import DBus
import LocationClient
import LocationModel
import PlaceCore
import Platform

/// The daemon and the service of places on one side, timedate1 on the other. `ZoneFollower` decides.
final class ZoneService {
  private let loop: EventLoop
  private let log: Log
  private var follower: ZoneFollower
  private let daemon: Question
  private let places: Question
  private let clock: TimeZoneSetting
  private var movement: Movement?
  private var door: TimezoneDoor?
  private var timer: EventLoop.Timer?
  private var signals: [EventLoop.SignalWatch] = []
  private var trouble: String?
  /// The zones of the places that are looked up, in their order.
  private var zones: [String?] = []

  /// Seconds for a place, as a receiver takes them that has rested.
  private static let patience = 60.0

  init(
    _ rule: ZoneFollower.Rule, daemon: String, places: String, bus: BusPlace, _ log: Log
  ) throws(SystemError) {
    self.log = log
    loop = try EventLoop()
    follower = ZoneFollower(rule)
    self.daemon = try Question(to: daemon, on: loop)
    self.places = try Question(to: places, on: loop)
    let bus = try BusConnection(to: bus, on: loop) { _ in }
    clock = TimeZoneSetting(on: bus)
    signals = try loop.watchSignals { [unowned self] in loop.end(log) }
    timer = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in handle(.timer) }
    movement = Movement(on: bus) { [unowned self] in handle(.moved) }
    do throws(BusError) {
      door = try TimezoneDoor(on: bus, log) { [unowned self] in handle(.yields($0)) }
    } catch {
      log.error("\(error)")
    }
  }

  func run() throws(SystemError) {
    Process.notify("STATUS=The time zone follows the place.")
    handle(.moved)
    try loop.serve()
  }

  private func handle(_ input: ZoneFollower.Input) {
    for step in follower.handle(input, at: Clock.boottime) { perform(step) }
  }

  private func perform(_ step: ZoneFollower.Step) {
    switch step {
    case .locate(let accuracy): locate(accuracy)
    case .lookUp(let places):
      zones = []
      lookUp(places[...])
    case .set(let zone, let old): set(zone, insteadOf: old)
    case .wake(let moment): timer?.set(moment)
    }
  }

  private func locate(_ accuracy: Double) {
    let request = OneShotRequest(desiredAccuracy: accuracy, timeout: Self.patience)
    daemon.ask(Request.requestLocation(request), within: .seconds(Self.patience + 10)) {
      [unowned self] in
      switch $0 {
      case .success(let reply):
        trouble = nil
        handle(.located(reply.location))
      case .failure(let error):
        if !error.isNoPlace { complain(error.sentence(of: .daemon)) }
        handle(.located(nil))
      }
    }
  }

  /// Looks the places up one after the other, then the machine's own zone.
  private func lookUp(_ rest: ArraySlice<Coordinate>) {
    guard let place = rest.first else {
      return clock.read { [unowned self] in
        switch $0 {
        case .success(let zone): handle(.found(zones, machine: zone))
        case .failure(let error):
          complain("timedate1 does not say the time zone: \(error)")
          handle(.found(zones, machine: nil))
        }
      }
    }
    var request = ReverseRequest(place)
    // A server would learn the place.
    request.offline = true
    places.ask(
      PlaceRequest.reverseGeocode(request), within: .seconds(LocationClient.Peer.places.patience)
    ) {
      [unowned self] in
      switch $0 {
      case .success(.placemarks(let found)): zones.append(found.first?.timeZone)
      case .success, .failure(.refused): zones.append(nil)
      case .failure(let error):
        complain(error.sentence(of: .places))
        return handle(.found([], machine: nil))
      }
      lookUp(rest.dropFirst())
    }
  }

  private func set(_ zone: String, insteadOf old: String) {
    clock.set(zone) { [unowned self] in
      switch $0 {
      case .success:
        trouble = nil
        log.notice("the time zone is \(zone) now, and was \(old): the machine is there")
        door?.tell(zone)
      case .failure(let error):
        complain("the time zone cannot be set: \(error)")
        handle(.refused)
      }
    }
  }

  private func complain(_ why: String) {
    if trouble != why { log.warning(why) }
    trouble = why
  }
}

extension ClientError {
  /// The only trouble is that no source says a place.
  fileprivate var isNoPlace: Bool {
    if case .refused(let refusal) = self { refusal.code == .locationUnknown } else { false }
  }

  fileprivate func sentence(of peer: LocationClient.Peer) -> String {
    switch self {
    case .refused(let refusal): refusal.message
    case .lost(let error): peer.message(error, at: peer.defaultPath)
    }
  }
}
