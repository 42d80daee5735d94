package import LocationModel

/// The roads of an extract, as they lie in its file. The bytes must outlive it.
// Unchecked: its bytes are read only.
package final class RoadNetwork: @unchecked Sendable {
  private let junctions: RoadTable<RoadJunction>
  private let ends: RoadTable<UInt32>
  private let chains: RoadTable<RoadChain>
  private let points: RoadTable<UInt8>
  private let kinds: RoadTable<UInt32>
  private let names: RoadTable<UInt8>
  private let exceptions: RoadTable<RoadException>
  private let bicycleExceptions: RoadTable<RoadException>
  private let copies: RoadTable<UInt32>
  private let gridKeys: RoadTable<UInt32>
  private let gridStarts: RoadTable<UInt32>
  private let gridChains: RoadTable<UInt32>
  private let overlays: [RoadOverlay]
  package let junctionCount: UInt32
  package let chainCount: UInt32
  /// Arcs come first, then their copies.
  let stateCount: UInt32

  private static let endBits: UInt32 = 29

  /// Nil where the bytes are no roads of this version.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let sections = RoadSections(bytes),
      let junctions = sections.table(.junctions, of: RoadJunction.self),
      let ends = sections.table(.ends, of: UInt32.self),
      let chains = sections.table(.chains, of: RoadChain.self),
      let points = sections.table(.points, of: UInt8.self),
      let kinds = sections.table(.kinds, of: UInt32.self),
      let names = sections.table(.names, of: UInt8.self),
      let exceptions = sections.table(.exceptions, of: RoadException.self),
      let bicycleExceptions = sections.table(.bicycleExceptions, of: RoadException.self),
      let copies = sections.table(.copies, of: UInt32.self),
      let gridKeys = sections.table(.gridKeys, of: UInt32.self),
      let gridStarts = sections.table(.gridStarts, of: UInt32.self),
      let gridChains = sections.table(.gridChains, of: UInt32.self)
    else { return nil }
    guard junctions.count > 1, chains.count > 1 else { return nil }
    (self.junctions, self.ends, self.chains, self.points) = (junctions, ends, chains, points)
    (self.kinds, self.names, self.exceptions, self.copies) = (kinds, names, exceptions, copies)
    self.bicycleExceptions = bicycleExceptions
    (self.gridKeys, self.gridStarts, self.gridChains) = (gridKeys, gridStarts, gridChains)
    overlays = RoadMode.allCases.map { RoadOverlay(sections, $0) }
    junctionCount = UInt32(clamping: junctions.count - 1)
    // States are told by 29 bits.
    chainCount = UInt32(min(chains.count - 1, 1 << 27))
    stateCount = chainCount * 2 + UInt32(min(copies.count - 1, 1 << 20))
  }

  package func overlay(_ mode: RoadMode) -> RoadOverlay { overlays[mode.rawValue] }
}

// MARK: - Junctions, chains and arcs

extension RoadNetwork {
  @inline(__always)
  package func junction(_ number: UInt32) -> RoadJunction { junctions[number] }
  @inline(__always)
  package func chain(_ number: UInt32) -> RoadChain { chains[number] }

  package func place(_ junction: UInt32) -> Coordinate {
    let junction = junctions[junction]
    return Coordinate(
      latitude: Double(junction.latitude) / 1e7, longitude: Double(junction.longitude) / 1e7)
  }

  @inline(__always)
  package func tail(_ arc: UInt32) -> UInt32 {
    let chain = chains[arc >> 1]
    return arc & 1 == 0 ? chain.tail : chain.head
  }

  @inline(__always)
  package func head(_ arc: UInt32) -> UInt32 {
    let chain = chains[arc >> 1]
    return arc & 1 == 0 ? chain.head : chain.tail
  }

  /// Where in the list of arcs those that leave a junction stand.
  @inline(__always)
  package func leaving(_ junction: UInt32) -> Range<UInt32> {
    let mask = (1 << Self.endBits) - 1 as UInt32
    let (start, end) = (junctions[junction].ends & mask, junctions[junction &+ 1].ends & mask)
    // More meet nowhere.
    return start..<min(max(start, end), start &+ 250)
  }

  @inline(__always)
  package func end(_ number: UInt32) -> UInt32 { arc(ends[number]) }

  @inline(__always)
  package func isBarred(_ junction: UInt32, _ mode: RoadMode) -> Bool {
    junctions[junction].ends >> (Self.endBits + UInt32(mode.rawValue)) & 1 == 1
  }

  package func traits(_ chain: UInt32) -> RoadTraits { traits(of: chains[chain]) }

  @inline(__always)
  func traits(of chain: RoadChain) -> RoadTraits {
    RoadTraits(rawValue: kinds[chain.kind &* UInt32(RoadKind.words) &+ 12])
  }

  package func name(_ chain: UInt32) -> String? {
    var place = chains[chain].name
    guard place > 0 else { return nil }
    var text: [UInt8] = []
    while names[place] != 0, text.count < 1000 {
      text.append(names[place])
      place &+= 1
    }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// From its tail to its head, with both junctions.
  package func points(_ arc: UInt32) -> [Coordinate] {
    let number = arc >> 1
    let chain = chains[number]
    let end = chains[number &+ 1].firstPoint
    var places = [place(chain.tail)]
    let tail = junctions[chain.tail]
    var inner = RoadPoints(
      points, chain.firstPoint..<max(end, chain.firstPoint), from: (tail.latitude, tail.longitude))
    while places.count < 100_000, let point = inner.next() {
      places.append(
        Coordinate(latitude: Double(point.latitude) / 1e7, longitude: Double(point.longitude) / 1e7)
      )
    }
    places.append(place(chain.head))
    return arc & 1 == 0 ? places : places.reversed()
  }
}

// MARK: - What it takes

extension RoadNetwork {
  /// No arc takes more than 15 days.
  static let most: UInt32 = 1 << 27

  /// Hundredths of a second as ways are compared; 0: the traveller may not go there.
  package func cost(_ arc: UInt32, _ mode: RoadMode) -> UInt32 {
    taking(chains[arc >> 1], arc, mode)
  }

  /// Hundredths of a second that it takes.
  package func time(_ arc: UInt32, _ mode: RoadMode) -> UInt32 {
    taking(chains[arc >> 1], arc, mode, word: 6)
  }

  @inline(__always)
  func taking(_ chain: RoadChain, _ arc: UInt32, _ mode: RoadMode, word: UInt32 = 0) -> UInt32 {
    let isBack = arc & 1
    let place = word &+ UInt32(mode.rawValue * 2) &+ isBack
    let pace = kinds[chain.kind &* UInt32(RoadKind.words) &+ place]
    guard pace > 0 else { return 0 }
    let byte = isBack == 0 ? chain.delays.ahead : chain.delays.back
    let delay = UInt64(RoadDelay.seconds(byte, mode)) * 100
    let (time, isTooMuch) = UInt64(pace).multipliedReportingOverflow(by: UInt64(chain.length))
    return isTooMuch ? Self.most : UInt32(min(max(time / 10_000 + delay, 1), UInt64(Self.most)))
  }

  /// Hundredths of a second a kilometre on the fastest road without any of these; `UInt32.max` where there is none.
  func leastPace(_ mode: RoadMode, avoiding: UInt32) -> UInt32 {
    var least = UInt32.max
    for kind in 0..<UInt32(clamping: kinds.count / RoadKind.words) {
      let first = kind &* UInt32(RoadKind.words)
      guard kinds[first &+ 12] & avoiding == 0 else { continue }
      for word in UInt32(mode.rawValue * 2)...UInt32(mode.rawValue * 2 + 1)
      where kinds[first &+ word] > 0 {
        least = min(least, kinds[first &+ word])
      }
    }
    return least
  }

  /// A chain that a mode may use at all.
  @inline(__always)
  func isRoad(_ chain: RoadChain, _ mode: RoadMode) -> Bool {
    let word = chain.kind &* UInt32(RoadKind.words) &+ UInt32(mode.rawValue * 2)
    return kinds[word] > 0 || kinds[word &+ 1] > 0
  }

  /// How many roads of a mode meet at a junction.
  package func roads(at junction: UInt32, _ mode: RoadMode) -> Int {
    var count = 0
    for number in leaving(junction) where isRoad(chains[ends[number] >> 1], mode) { count += 1 }
    return count
  }

  /// The cost and the time of a turn from one arc to the next, which begins where it ends.
  package func turn(
    _ from: UInt32, _ to: UInt32, _ mode: RoadMode
  ) -> (cost: UInt32, time: UInt32) {
    let (before, after) = (chains[from >> 1], chains[to >> 1])
    return RoadTurns.of(mode).turn(
      from: (from, before, traits(of: before)), to: (to, after, traits(of: after)),
      roads: roads(at: head(from), mode))
  }
}

// MARK: - States

extension RoadNetwork {
  /// The arc of a state.
  @inline(__always)
  package func base(_ state: UInt32) -> UInt32 {
    let arcs = chainCount &* 2
    return state < arcs ? state : arc(copies[state &- arcs])
  }

  /// Damaged bytes name no arc that is not there.
  @inline(__always)
  private func arc(_ number: UInt32) -> UInt32 { min(number, chainCount * 2 - 1) }

  /// A state from which some turn is not as others.
  @inline(__always)
  func hasExceptions(_ state: UInt32, _ mode: RoadMode) -> Bool {
    guard mode != .foot else { return false }
    guard state < chainCount &* 2 else { return true }
    return chains[state >> 1].exceptional & RoadChain.exceptionBit(state, mode) != 0
  }

  private func exceptions(_ mode: RoadMode) -> RoadTable<RoadException> {
    mode == .bicycle ? bicycleExceptions : exceptions
  }

  /// The copies that travellers of a mode come to, by their arcs.
  package func copies(_ mode: RoadMode) -> [UInt32: [UInt32]] {
    guard mode != .foot else { return [:] }
    let exceptions = exceptions(mode)
    let copies = Set((0..<exceptions.count).map { exceptions[$0].to })
      .filter { $0 >= chainCount * 2 && $0 < stateCount }
    return Dictionary(grouping: copies.sorted(), by: base)
  }

  /// The state that a turn leads to; nil where it is forbidden.
  func next(_ state: UInt32, over arc: UInt32, _ mode: RoadMode) -> UInt32? {
    let exceptions = exceptions(mode)
    let place = (0..<exceptions.count).partitioningIndex {
      (exceptions[$0].from, exceptions[$0].over) >= (state, arc)
    }
    let found = exceptions[place]
    guard found.from == state, found.over == arc else { return arc }
    return found.to == RoadException.forbidden ? nil : min(found.to, stateCount - 1)
  }
}

// MARK: - The grid

extension RoadNetwork {
  /// Squares of a grid are so wide, in degrees.
  package static let gridStep = 360.0 / 65536

  package static func gridKey(_ place: Coordinate) -> UInt32 {
    func number(_ degrees: Double) -> UInt32 {
      UInt32(min(max((degrees / gridStep).rounded(.down), 0), 65535))
    }
    return number(place.latitude + 90) << 16 | number(place.longitude + 180)
  }

  /// Where in the list of chains those that pass a square stand.
  package func chains(inCell key: UInt32) -> Range<UInt32> {
    let place = (0..<cellCount).partitioningIndex { gridKeys[$0] >= key }
    guard place < cellCount, gridKeys[place] == key else { return 0..<0 }
    let (start, end) = (gridStarts[place], gridStarts[place + 1])
    // No square has more.
    return start..<min(max(start, end), start &+ 20_000)
  }

  /// The squares that some chain passes, by their keys.
  var cellCount: Int { gridKeys.count - 1 }
  func cell(_ number: Int) -> UInt32 { gridKeys[number] }

  func gridChain(_ number: UInt32) -> UInt32 { min(gridChains[number], chainCount - 1) }
}
