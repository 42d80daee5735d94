package import LocationModel

/// A modem as a source: its location is on only while a client needs it, and then as it was before.
///
/// * ModemManager keeps one mask for all programs, and `Setup` replaces it. Added are the bits that are needed and
///   not there; taken away are only those that were added. What was changed is on the disk before it is.
/// * The place is never shown to everybody, as ModemManager would with `signal`.
/// * Another program that changes the mask is answered once a minute at most.
package struct ModemMachine: Sendable {
  package enum Input: Sendable {
    /// The pause between fixes, nil for none, and whether the cell is needed.
    case wanted(Duration?, cells: Bool)
    /// The modem as it is now; nil where there is none.
    case seen(Modem?)
    /// `Setup` was done; else why not.
    case didSetUp(String?)
    /// The answer to `GetLocation`; nil where it was refused.
    case located(nmea: String?, cell: String?)
    case refused(String)
    /// The receiver's own port cannot be read, or is gone.
    case portFailed
    case timer
  }

  package enum Step: Equatable, Sendable {
    case setUp(path: String, sources: UInt32, shows: Bool)
    case setRate(path: String, UInt32)
    case askLocation(path: String)
    case openPort(String)
    case closePort
    /// The sentences of one epoch.
    case read(String)
    case cell(CellTower?)
    /// The debt for the disk; nil once nothing is changed.
    case remember(ModemDebt?)
    case found
    case fail(String)
  }

  private var wish: (pause: Duration?, cells: Bool) = (nil, false)
  private var modem: Modem?
  private var debt: ModemDebt?
  private var epochs = ModemEpochs()
  private var cell: CellTower?
  private var saysCellAt = Boottime.start
  /// The mask that ModemManager is being told.
  private var asked: Modem.Sources?
  private var isAskedToShow = false
  private var isLocating = false
  private var askedRate: UInt32?
  private var openPort: String?
  private var isPortUseless = false
  private var isFound = false
  /// After a refusal, or another program's change.
  private var restsUntil = Boottime.start
  private var answersFrom = Boottime.start
  private var looksAt: Boottime?
  /// The moment of the next `timer`.
  package private(set) var wakesAt: Boottime?

  /// `debt`: what a daemon before has left changed.
  package init(_ debt: ModemDebt? = nil) { self.debt = debt }

  /// A client needs it, or changes are still to be undone.
  package var isBusy: Bool { isWanted || debt != nil }
  private var isWanted: Bool { wish.pause != nil || wish.cells }

  package mutating func handle(_ input: Input, at now: Boottime, into steps: inout [Step]) {
    switch input {
    case .wanted(let pause, let cells):
      if !isWanted { (isFound, isPortUseless, looksAt) = (false, false, nil) }
      wish = (pause, cells)
      if !isWanted { (restsUntil, answersFrom) = (.start, .start) }
    case .seen(let seen): see(seen, at: now, into: &steps)
    case .didSetUp(let trouble): concludeSetup(trouble, at: now, into: &steps)
    case .located(let nmea, let cell):
      isLocating = false
      locate(nmea, cell, at: now, into: &steps)
    case .refused(let trouble):
      isLocating = false
      rest(trouble, at: now, into: &steps)
    case .portFailed:
      openPort = nil
      isPortUseless = true
    case .timer: break
    }
    settle(at: now, into: &steps)
  }

  private static let pause: Duration = .seconds(60)
  private static let soon: Duration = .milliseconds(300)
  private static let cellPause: Duration = .seconds(30)
}

// MARK: - The modem

extension ModemMachine {
  private mutating func see(_ seen: Modem?, at now: Boottime, into steps: inout [Step]) {
    let before = modem
    modem = seen
    guard let seen else {
      // A modem that comes back is as new.
      (asked, askedRate) = (nil, nil)
      isLocating = false
      isFound = false
      // The modem is not known before the first look.
      if before != nil { settleDebt(into: &steps) }
      hear(nil, at: now, into: &steps)
      if isWanted { steps.append(.fail("no modem that tells a place is there")) }
      return
    }
    if before?.path != seen.path {
      epochs.begin()
      isLocating = false
      (asked, askedRate) = (nil, nil)
    }
    if let debt, debt.identity != seen.identity { settleDebt(into: &steps) }
    guard asked == nil, before != nil, let owed = debt?.added, !owed.isEmpty else { return }
    // Another program has taken the sources away, or shows the place.
    let lost = owed.subtracting(seen.enabled)
    guard !lost.isEmpty || seen.isShown else { return }
    debt?.added.subtract(lost)
    restsUntil = max(restsUntil, answersFrom)
    answersFrom = max(now, restsUntil) + Self.pause
  }

  private mutating func settleDebt(into steps: inout [Step]) {
    guard debt != nil else { return }
    debt = nil
    steps.append(.remember(nil))
  }

  private mutating func rest(_ trouble: String, at now: Boottime, into steps: inout [Step]) {
    restsUntil = now + Self.pause
    isFound = false
    if isWanted { steps.append(.fail(trouble)) }
  }

  private mutating func concludeSetup(
    _ trouble: String?, at now: Boottime, into steps: inout [Step]
  ) {
    guard let asked else { return }
    self.asked = nil
    if let trouble {
      debt?.added.formIntersection(modem?.enabled ?? [])
      return rest(trouble, at: now, into: &steps)
    }
    modem?.enabled = asked
    modem?.isShown = isAskedToShow
  }
}

// MARK: - The mask

extension ModemMachine {
  /// The bits that are needed, with those that others have.
  private func needed(of modem: Modem, beside others: Modem.Sources) -> Modem.Sources {
    var needed: Modem.Sources = []
    if wish.cells, modem.capabilities.contains(.cell) { needed.insert(.cell) }
    guard wish.pause != nil else { return needed }
    let isReadByOthers = !others.isDisjoint(with: [.raw, .nmea])
    if modem.capabilities.contains(.unmanaged), modem.receiverPort != nil, !isPortUseless,
      !isReadByOthers
    {
      needed.insert(.unmanaged)
    } else if modem.capabilities.contains(.nmea), !others.contains(.unmanaged) {
      needed.insert(.nmea)
    }
    return needed
  }

  private mutating func settle(at now: Boottime, into steps: inout [Step]) {
    wakesAt = nil
    guard let modem, asked == nil else { return closePort(unless: nil, into: &steps) }
    if !isWanted, debt == nil { return closePort(unless: nil, into: &steps) }
    if restsUntil > now {
      wakesAt = restsUntil
      return closePort(unless: nil, into: &steps)
    }
    // The last answer that is waited for is that to Setup.
    if !isWanted { adjustRate(of: modem, into: &steps) }
    let others = modem.enabled.subtracting(debt?.added ?? [])
    let needed = needed(of: modem, beside: others)
    let target = others.union(needed)
    // Another program's showing stays; a place that was hidden for ours is shown again.
    let isAdding = !needed.isSubset(of: others)
    let wasHidden = !isWanted && debt?.isShown == true
    let shows = !isAdding && (modem.isShown || wasHidden)
    if target != modem.enabled || shows != modem.isShown {
      if isWanted {
        var new = debt ?? ModemDebt(modem)
        new.added = needed.subtracting(others)
        remember(new, into: &steps)
      }
      closePort(unless: nil, into: &steps)
      (asked, isAskedToShow) = (target, shows)
      steps.append(.setUp(path: modem.path, sources: target.rawValue, shows: shows))
      return
    }
    guard isWanted else { return settleDebt(into: &steps) }
    adjustRate(of: modem, into: &steps)
    use(modem, needed, at: now, into: &steps)
  }

  private mutating func remember(_ new: ModemDebt, into steps: inout [Step]) {
    guard new != debt else { return }
    debt = new
    steps.append(.remember(new))
  }

  /// Its own pace while somebody waits for fixes, and then what it was.
  private mutating func adjustRate(of modem: Modem, into steps: inout [Step]) {
    let isRead = wish.pause != nil && modem.enabled.contains(.nmea)
    let slowest = isRead ? Self.rate(for: wish.pause ?? .zero) : UInt32.max
    let former = debt?.rate ?? modem.rate
    let wanted = former == 0 ? 0 : min(former, slowest)
    guard modem.rate != wanted, askedRate != wanted else { return }
    askedRate = wanted
    if isRead {
      var new = debt ?? ModemDebt(modem)
      new.rate = former
      remember(new, into: &steps)
    }
    steps.append(.setRate(path: modem.path, wanted))
  }

  private static func rate(for pause: Duration) -> UInt32 {
    UInt32(min(max(pause.seconds, 1), 30))
  }
}

// MARK: - What it says

extension ModemMachine {
  private mutating func use(
    _ modem: Modem, _ needed: Modem.Sources, at now: Boottime, into steps: inout [Step]
  ) {
    let isByPort = needed.contains(.unmanaged)
    closePort(unless: isByPort ? modem.receiverPort : nil, into: &steps)
    if isByPort, openPort == nil, let port = modem.receiverPort {
      openPort = port
      steps.append(.openPort(port))
    }
    if wish.pause != nil, needed.isDisjoint(with: [.unmanaged, .nmea]) {
      let isOthers = modem.enabled.contains(.unmanaged)
      return rest(
        isOthers ? "another program reads its receiver" : "the modem has no receiver", at: now,
        into: &steps)
    }
    if !isFound {
      isFound = true
      steps.append(.found)
    }
    guard needed.contains(.nmea) || needed.contains(.cell), !isLocating else { return }
    let look = looksAt ?? now
    guard look <= now else {
      wakesAt = look
      return
    }
    isLocating = true
    let isRead = needed.contains(.nmea)
    looksAt = now + (isRead ? max(wish.pause ?? .zero, .seconds(1)) : Self.cellPause)
    steps.append(.askLocation(path: modem.path))
  }

  private mutating func closePort(unless port: String?, into steps: inout [Step]) {
    guard openPort != nil, openPort != port else { return }
    openPort = nil
    steps.append(.closePort)
  }

  private mutating func locate(
    _ nmea: String?, _ text: String?, at now: Boottime, into steps: inout [Step]
  ) {
    if wish.pause != nil, let nmea {
      switch epochs.read(nmea) {
      case .epoch(let sentences): steps.append(.read(sentences))
      case .same: break
      case .half: looksAt = now + Self.soon
      }
    }
    if wish.cells {
      hear(
        modem?.radio.flatMap { radio in text.flatMap { CellTower(modem: $0, radio: radio) } },
        at: now, into: &steps)
    }
  }

  /// The cell is said again now and then, since one that is heard no longer is forgotten.
  private mutating func hear(_ cell: CellTower?, at now: Boottime, into steps: inout [Step]) {
    guard cell != self.cell || cell != nil && now >= saysCellAt else { return }
    self.cell = cell
    saysCellAt = now + Self.cellPause
    steps.append(.cell(cell))
  }
}
