import LocationModel

/// The satellites and the errors that a receiver states every few epochs rather than in each.
struct Sky {
  /// Counts epochs, to know how old what is said is.
  private var epoch = 0
  /// For how many epochs it holds: ten seconds.
  private var lasting = 10
  private var interval: Duration = .seconds(1)

  /// 2 and 3 dimensions, or 1: none.
  private var dimensions = 0
  private var said = Dilution()
  private var active = Self.never

  private var inView = [UInt8](repeating: 0, count: 26)
  private var viewed = [Int](repeating: Self.never, count: 26)
  /// A bit for each constellation met.
  private var met: UInt32 = 0

  private var stated: (horizontal: Double, vertical: Double?)?
  private var statedEpoch = 0

  /// By talker; and the numbers of those that are used, by system.
  private var lists: [UInt8: [Satellite]] = [:]
  private var used: [Satellite.System: Set<Int>] = [:]
  /// A constellation has fewer.
  private static let most = 64

  private static let never = Int.min / 2

  /// A new epoch, so long after the one before.
  mutating func begin(interval: Duration) {
    epoch += 1
    guard interval != self.interval else { return }
    self.interval = interval
    lasting = max(Int(Duration.seconds(10) / interval), 1)
  }

  /// GSA; where each constellation has its own, the one with the most dimensions holds.
  mutating func add(dimensions: Int, _ dilution: Dilution) {
    if active == epoch, dimensions < self.dimensions { return }
    self.dimensions = dimensions
    said = dilution
    active = epoch
  }

  /// GSV; a constellation is known by its talker's second letter, and may be told for each signal.
  mutating func add(inView count: Int, talker: UInt8) {
    let i = Int(talker) - 0x41
    guard inView.indices.contains(i) else { return }
    let count = UInt8(clamping: count)
    inView[i] = viewed[i] == epoch ? max(inView[i], count) : count
    viewed[i] = epoch
    met |= 1 << UInt32(i)
  }

  /// PGRME, which has no time of its own.
  mutating func add(stated: (horizontal: Double, vertical: Double?)?) {
    self.stated = stated
    statedEpoch = epoch
  }

  /// GSV; the first message of a constellation begins its list anew.
  mutating func add(_ satellites: [Satellite], message: Int, talker: UInt8) {
    if message == 1 { lists[talker] = nil }
    guard lists.count < 26 || lists[talker] != nil else { return }
    var list = lists[talker] ?? []
    // One for each signal: the strongest counts.
    for one in satellites where list.count < Self.most {
      guard (1...999).contains(one.number) else { continue }
      if let i = list.firstIndex(where: { $0.number == one.number }) {
        if (one.signal ?? 0) > (list[i].signal ?? 0) { list[i] = one }
      } else {
        list.append(one)
      }
    }
    lists[talker] = list
  }

  /// GSA: those that the fix rests on. Talkers for all systems say which one, or have numbers that tell.
  mutating func add(used numbers: [Int], system: Int?, talker: UInt8) {
    let systems: [Int: Satellite.System] = [
      1: .gps, 2: .glonass, 3: .galileo, 4: .beidou, 5: .qzss, 6: .navic,
    ]
    let said = system.flatMap { systems[$0] } ?? Satellite.System(talker: talker)
    let all = numbers.prefix(12).map { (said ?? Satellite.System(number: $0), $0) }
    for (key, _) in Dictionary(grouping: all, by: \.0) { used[key] = [] }
    if all.isEmpty, let said { used[said] = [] }
    for (key, number) in all { used[key, default: []].insert(number) }
  }

  /// Each that is in view, as it was said last.
  var satellites: [Satellite] {
    let isKnown = satellitesInView != nil
    return lists.keys.sorted().filter { isKnown && $0 != 0 }.flatMap { lists[$0] ?? [] }.map {
      var one = $0
      // NMEA has SBAS among GPS.
      if one.system == .gps, (33...64).contains(one.number) { one.system = .sbas }
      one.isUsed =
        used[$0.system]?.contains($0.number) ?? used[one.system]?.contains($0.number) ?? false
      return one
    }
  }

  private var isActive: Bool { epoch - active < lasting }
  var isFlat: Bool { isActive && dimensions == 2 }
  var dilution: Dilution { isActive ? said : Dilution() }

  var statedErrors: (horizontal: Double, vertical: Double?)? {
    epoch - statedEpoch < lasting ? stated : nil
  }

  var satellitesInView: Int? {
    var sum = 0
    var isKnown = false
    var rest = met
    while rest != 0 {
      let i = rest.trailingZeroBitCount
      rest &= rest - 1
      guard epoch - viewed[i] < lasting else { continue }
      sum += Int(inView[i])
      isKnown = true
    }
    return isKnown ? sum : nil
  }
}
