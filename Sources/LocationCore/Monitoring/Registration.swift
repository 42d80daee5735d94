import LocationModel

/// One app's monitoring, also while none of its programs is connected.
struct Registration {
  struct Monitored {
    var region: Region
    var slot: RegionSlot
    /// The app has asked for its state, and is told once that is known.
    var isAsked = false

    fileprivate var isBeacon: Bool { if case .beacon = slot { true } else { false } }
  }

  /// One of the things that may be asked for.
  enum Wish: Hashable {
    case significant, visits
    case region(String)

    /// The wish for a service beside the regions.
    init(_ service: Service) { self = service == .visits ? .visits : .significant }
  }

  var significant = false { didSet { if !significant { registrants[.significant] = nil } } }
  var visits = false { didSet { if !visits { registrants[.visits] = nil } } }
  /// The processes without a name of their own that asked for it: it moves to their names once those are told.
  var registrants: [Wish: [ProcessID]] = [:]
  private(set) var regions: [String: Monitored] = [:]
  /// The number of them that are beacons.
  private var beacons = 0
  private var sorted: [String]?
  /// The services that it may have now, decided when something changes.
  var allowed = ServiceSet()
  /// The services that it may have once the person has said Always again.
  var unconfirmed = ServiceSet()
  var accuracy = AccuracyAuthorization.full
  var lastEvent: UInt64 = 0
  /// The events that are not acknowledged, oldest first.
  var pending: [NumberedEvent] = []

  /// So many wait at most; the oldest go.
  static let mostPending = 1000

  subscript(identifier: String) -> Monitored? {
    get { regions[identifier] }
    set {
      if (regions[identifier] == nil) != (newValue == nil) { sorted = nil }
      if regions[identifier]?.isBeacon == true { beacons -= 1 }
      if newValue?.isBeacon == true { beacons += 1 }
      regions[identifier] = newValue
      if newValue == nil { registrants[.region(identifier)] = nil }
    }
  }

  /// In the order in which they are listed.
  mutating func identifiers() -> [String] {
    if let sorted { return sorted }
    let list = regions.keys.sorted()
    sorted = list
    return list
  }

  /// Whether that is news.
  mutating func note(_ process: ProcessID, for wish: Wish) -> Bool {
    var all = registrants[wish] ?? []
    if all.contains(process) || !has(wish) { return false }
    all.append(process)
    registrants[wish] = all.suffix(Self.mostRegistrants)
    return true
  }

  func has(_ wish: Wish) -> Bool {
    switch wish {
    case .significant: significant
    case .visits: visits
    case .region(let identifier): regions[identifier] != nil
    }
  }

  private static let mostRegistrants = 16

  /// Whether it has asked for anything, or has yet to be told of what it asked for.
  var isAny: Bool { significant || visits || !regions.isEmpty || !pending.isEmpty }

  /// Some of its regions are parts of the Earth.
  var hasPlaces: Bool { regions.count > beacons }

  /// Whether what happens there is an event for it, now or once that is confirmed.
  func follows(_ service: Service) -> Bool {
    followed.contains(service)
  }

  private var followed: ServiceSet { allowed.union(unconfirmed) }

  /// The services that it has asked for and may have.
  var needs: ServiceSet {
    var wanted = ServiceSet()
    if significant { wanted.insert(.significant) }
    if visits { wanted.insert(.visits) }
    if hasPlaces { wanted.insert(.regions) }
    if beacons > 0 { wanted.insert(.beacons) }
    return wanted.intersection(followed)
  }
}

struct NumberedEvent {
  var number: UInt64
  var event: Event
  /// Bytes that it counts for.
  var size: Int
  /// It is told once it is written, so that no number is ever told twice for different events.
  var isWritten = false
}

/// Which managers of a connection are told an app's events.
struct Listening {
  /// It has greeted, which is enough where no manager monitors anything.
  var hasGreeted = false
  /// The managers that have asked something about monitoring, and which services beside the regions
  /// each wants.
  var managers: [Int: ServiceSet] = [:]

  var isOn: Bool { hasGreeted || !managers.isEmpty }

  func wants(_ service: Service) -> Bool { managers.values.contains { $0.contains(service) } }

  mutating func listen(_ manager: Int, wanting service: Service?) {
    managers[manager, default: ServiceSet()].formUnion(ServiceSet { $0 == service })
  }

  func managers(for event: Event) -> [Int] {
    if managers.isEmpty { return hasGreeted ? [0] : [] }
    if case .didUpdateLocations = event {
      let wanting = managers.filter { $0.value.contains(.significant) }.keys
      if !wanting.isEmpty { return wanting.sorted() }
    }
    return managers.keys.sorted()
  }
}
