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

  /// Satellites that GSV says of one signal of a constellation; 0 where the receiver tells no signals apart.
  private struct Group {
    let talker: UInt8
    let signal: UInt8
    var satellites: [Satellite] = []
    var epoch = 0
  }

  private var groups: [Group] = []
  /// The numbers of those that are used, by system.
  private var used: [Satellite.System: (numbers: Set<Int>, epoch: Int)] = [:]
  /// A constellation has fewer.
  private static let most = 64
  /// Eight systems of eight signals.
  private static let mostGroups = 64

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

  /// GSV; the first message of a group begins it anew.
  mutating func add(_ satellites: [Satellite], message: Int, talker: UInt8, signal: UInt8) {
    guard let i = place(of: talker, signal) else { return }
    if message == 1 { groups[i].satellites.removeAll(keepingCapacity: true) }
    groups[i].epoch = epoch
    for one in satellites where (1...999).contains(one.number) {
      Self.join(one, to: &groups[i].satellites)
    }
  }

  private mutating func place(of talker: UInt8, _ signal: UInt8) -> Int? {
    if let i = groups.firstIndex(where: { $0.talker == talker && $0.signal == signal }) { return i }
    guard inView.indices.contains(Int(talker) - 0x41) else { return nil }
    if groups.count == Self.mostGroups { groups = groups.filter { isFresh($0.epoch) } }
    guard groups.count < Self.mostGroups else { return nil }
    groups.append(Group(talker: talker, signal: signal))
    return groups.count - 1
  }

  /// A satellite that is told for each signal is one: the strongest counts.
  private static func join(_ one: Satellite, to list: inout [Satellite]) {
    guard let i = list.firstIndex(where: { $0.number == one.number }) else {
      if list.count < most { list.append(one) }
      return
    }
    if (one.signal ?? 0) > (list[i].signal ?? 0) { list[i].signal = one.signal }
    list[i].elevation = list[i].elevation ?? one.elevation
    list[i].azimuth = list[i].azimuth ?? one.azimuth
  }

  /// A constellation's satellites, over all signals.
  private func list(_ talker: UInt8) -> [Satellite] {
    var list: [Satellite] = []
    for group in groups where group.talker == talker && isFresh(group.epoch) {
      for one in group.satellites { Self.join(one, to: &list) }
    }
    return list
  }

  /// GSA: those that the fix rests on. Talkers for all systems say which one, or have numbers that tell.
  ///
  /// A sentence has room for twelve: a system's first one in an epoch begins its numbers anew, further ones add.
  mutating func add(used numbers: [Int], system: Int?, talker: UInt8) {
    let systems: [Int: Satellite.System] = [
      1: .gps, 2: .glonass, 3: .galileo, 4: .beidou, 5: .qzss, 6: .navic,
    ]
    let said = system.flatMap { systems[$0] } ?? Satellite.System(talker: talker)
    if let said { begin(said) }
    for number in numbers.prefix(12) where (1...999).contains(number) {
      let key = said ?? Satellite.System(number: number)
      begin(key)
      used[key]?.numbers.insert(number)
    }
  }

  private mutating func begin(_ system: Satellite.System) {
    if used[system]?.epoch != epoch { used[system] = ([], epoch) }
  }

  private func isUsed(_ number: Int, of system: Satellite.System) -> Bool {
    used[system].map { isFresh($0.epoch) && $0.numbers.contains(number) } ?? false
  }

  /// Each that is in view, as it was said last.
  var satellites: [Satellite] {
    Set(groups.map(\.talker)).sorted().flatMap(list).map {
      var one = $0
      // NMEA has SBAS among GPS.
      if one.system == .gps, (33...64).contains(one.number) { one.system = .sbas }
      one.isUsed = isUsed(one.number, of: $0.system) || isUsed(one.number, of: one.system)
      return one
    }
  }

  private func isFresh(_ said: Int) -> Bool { epoch - said < lasting }

  private var isActive: Bool { isFresh(active) }
  var isFlat: Bool { isActive && dimensions == 2 }
  var dilution: Dilution { isActive ? said : Dilution() }

  var statedErrors: (horizontal: Double, vertical: Double?)? {
    isFresh(statedEpoch) ? stated : nil
  }

  /// A recording's satellites are not looked at: its count is that of each constellation's greatest group.
  var satellitesInView: Int? {
    var sum = 0
    var isKnown = false
    var rest = met
    while rest != 0 {
      let i = rest.trailingZeroBitCount
      rest &= rest - 1
      guard isFresh(viewed[i]) else { continue }
      sum += max(Int(inView[i]), groups.isEmpty ? 0 : list(UInt8(i + 0x41)).count)
      isKnown = true
    }
    return isKnown ? sum : nil
  }
}
