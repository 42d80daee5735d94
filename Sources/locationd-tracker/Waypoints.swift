import LocationModel
import Platform
import TrackCore
import TrackStore

/// The regions of the configuration and of servers. A change is on the disk before the daemon hears of it.
final class Waypoints {
  private(set) var book: WaypointBook
  /// Those that the daemon is to watch.
  private(set) var regions: [Region] = []
  private let store: TrackStore
  private let log: Log
  private let changed: () -> Void
  private var retry: EventLoop.Timer?
  private var isSaving = false
  private var hasComplained = false

  private static let pause: Duration = .seconds(10)

  /// `changed`: the regions to watch are others.
  init(
    _ configuration: Configuration, in store: TrackStore, on loop: EventLoop, _ log: Log,
    changed: @escaping () -> Void
  ) throws(SystemError) {
    self.store = store
    self.log = log
    self.changed = changed
    book = WaypointBook(store.waypoints)
    book.zones = Zones(configuration.zones, secret: store.secret)
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in save() }
    configure(configuration)
    // Each of these is in a file already.
    regions = book.regions
  }

  func configure(_ configuration: Configuration) {
    let owners = configuration.uplinks.filter(\.takesCommands).map(\.name)
    // A new zone hides regions that are the same.
    change {
      $0.zones = Zones(configuration.zones, secret: store.secret)
      $0.configure(configuration.regions, owners: Set(owners), at: Clock.utc)
    }
  }

  /// Tells how many wishes of a server are not followed.
  func follow(_ wishes: [WaypointWish], of owner: String) -> Int {
    var refused = 0
    change { refused = $0.follow(wishes, of: owner, at: Clock.utc) }
    return refused
  }

  func clear(_ owner: String) { change { $0.clear(owner) } }

  /// The crossing of a region's edge is on the disk.
  func note(_ isInside: Bool, _ identifier: String) { book.note(isInside, identifier) }

  /// Nothing was crossed, and the daemon says where the device is.
  func stand(_ isInside: Bool, _ identifier: String) {
    guard let waypoint = book[identifier], waypoint.isInside != isInside else { return }
    book.note(isInside, identifier)
    store.save(isInside: isInside, identifier)
  }

  private func change(_ body: (inout WaypointBook) -> Void) {
    let before = book
    body(&book)
    if book != before { save() }
  }

  private func save() {
    guard !isSaving else { return }
    isSaving = true
    retry?.set(nil)
    let saved = book
    store.save(saved.waypoints) { [unowned self] error in
      isSaving = false
      if let error {
        if !hasComplained {
          log.error("the waypoints cannot be written: \(error); it is tried again")
        }
        hasComplained = true
        retry?.set(Clock.boottime + Self.pause)
        return
      }
      hasComplained = false
      regions = saved.regions
      changed()
      if book != saved { save() }
    }
  }

  var status: JSON {
    .array(
      book.waypoints.map { waypoint in
        [
          "name": .string(waypoint.name), "id": .string(waypoint.id),
          "uplink": waypoint.owner.map(JSON.string), "inside": .bool(waypoint.isInside),
        ]
      })
  }
}

extension Tracker {
  func tellWaypoints(to uplink: Uplink) {
    let names = waypoints?.book.found(by: uplink.plan.name) ?? []
    uplink.handle(.waypoints(waypoints(of: uplink), found: names))
  }

  func watchRegions() {
    daemon?.change(to: wishes)
    for uplink in uplinks { tellWaypoints(to: uplink) }
  }
}
