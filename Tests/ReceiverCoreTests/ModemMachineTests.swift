import LocationModel
import Testing

@testable import ReceiverCore

/// ModemManager with one modem, and a clock: it does what it is told.
private struct World {
  typealias Step = ModemMachine.Step

  var machine: ModemMachine
  var modem: Modem
  var now = Boottime(nanoseconds: 1_000_000_000_000)
  /// The debt on the disk.
  var disk: ModemDebt?
  var isRefusing = false
  private(set) var setups: [(sources: UInt32, shows: Bool, at: Boottime)] = []
  private(set) var steps: [Step] = []
  var nmea: (Boottime) -> String? = { _ in nil }
  var cell: String?

  init(_ capabilities: UInt32 = 7, enabled: UInt32 = 0, debt: ModemDebt? = nil) {
    modem = Modem(path: "/M/0", identity: "abc")
    modem.capabilities = .init(rawValue: capabilities)
    modem.enabled = .init(rawValue: enabled)
    modem.rate = 30
    modem.radio = .lte
    disk = debt
    machine = ModemMachine(debt)
  }

  @discardableResult
  mutating func handle(_ input: ModemMachine.Input) -> [Step] {
    var new: [Step] = []
    machine.handle(input, at: now, into: &new)
    steps += new
    for step in new {
      switch step {
      case .setUp(_, let sources, let shows):
        setups.append((sources, shows, now))
        if isRefusing {
          handle(.didSetUp("no"))
        } else {
          modem.enabled = .init(rawValue: sources)
          modem.isShown = shows
          handle(.seen(modem))
          handle(.didSetUp(nil))
        }
      case .setRate(_, let rate): modem.rate = rate
      case .askLocation:
        handle(
          .located(
            nmea: modem.enabled.contains(.nmea) ? nmea(now) : nil,
            cell: modem.enabled.contains(.cell) ? cell : nil))
      case .remember(let debt): disk = debt
      default: break
      }
    }
    return new
  }

  mutating func open(_ pause: Duration? = .zero, cells: Bool = false) {
    handle(.wanted(pause, cells: cells))
    handle(.seen(modem))
  }

  mutating func close() { handle(.wanted(nil, cells: false)) }

  /// Another program's Setup.
  mutating func change(_ sources: UInt32, shows: Bool = false) {
    modem.enabled = .init(rawValue: sources)
    modem.isShown = shows
    handle(.seen(modem))
  }

  /// Time goes by, from one alarm to the next.
  mutating func pass(_ seconds: Double) {
    let end = now + .seconds(seconds)
    while now < end {
      now = min(max(machine.wakesAt ?? end, now + .milliseconds(1)), end)
      handle(.timer)
    }
  }

  var epochs: [String] { steps.compactMap { if case .read(let text) = $0 { text } else { nil } } }
  var masks: [UInt32] { setups.map(\.sources) }
}

@Suite("A modem's location") struct ModemMachineTests {
  @Test(
    "nothing is done before a client needs it; then one Setup adds what is not there, and hides it")
  func opened() {
    var world = World(7, enabled: 1)
    world.handle(.seen(world.modem))
    world.pass(600)
    #expect(world.setups.isEmpty && world.disk == nil)
    world.open()
    world.pass(600)
    #expect(world.masks == [5] && world.setups.allSatisfy { !$0.shows })
    #expect(world.modem.rate == 1 && world.steps.contains(.found))
  }

  @Test("the mask, the flag and the rate are as before once nobody needs it")
  func closed() {
    for (enabled, shows) in [(0, false), (1, false), (1, true), (9, true)] as [(UInt32, Bool)] {
      var world = World(15, enabled: enabled)
      world.modem.isShown = shows
      world.open()
      #expect(world.modem.enabled.rawValue == enabled | 4 && !world.modem.isShown)
      #expect(world.disk != nil)
      world.close()
      #expect(world.modem.enabled.rawValue == enabled && world.modem.isShown == shows)
      #expect(world.modem.rate == 30 && world.disk == nil && !world.machine.isBusy)
      #expect(world.setups.count == 2)
    }
  }

  @Test("what others have stays theirs: nothing is set, shown or taken away")
  func others() {
    var world = World(7, enabled: 4)
    world.modem.isShown = true
    world.open()
    world.pass(60)
    world.close()
    #expect(world.setups.isEmpty && world.modem.isShown)
    // Bits that another adds meanwhile stay, too.
    world = World(7, enabled: 0)
    world.open()
    world.change(7)
    world.close()
    #expect(world.masks == [4, 3])
  }

  @Test("what is changed is on the disk before it is, and put back by the next daemon after a kill")
  func killed() {
    var world = World(7, enabled: 1)
    world.open()
    let order = world.steps.compactMap { step -> String? in
      switch step {
      case .remember: "remember"
      case .setUp: "setUp"
      default: nil
      }
    }
    #expect(order.prefix(2) == ["remember", "setUp"])
    let json = world.disk?.json
    let debt = json.flatMap(ModemDebt.init)
    #expect(debt != nil && debt == world.disk)
    var next = World(7, enabled: 5, debt: debt)
    next.modem.rate = 1
    #expect(next.machine.isBusy)
    next.handle(.seen(next.modem))
    #expect(next.masks == [1] && next.disk == nil && next.modem.rate == 30)
    // A client that is there at once keeps it on.
    next = World(7, enabled: 5, debt: debt)
    next.open()
    #expect(next.setups.isEmpty)
    next.close()
    #expect(next.masks == [1])
    // Another modem owes nothing, nor one that was restarted since.
    next = World(7, enabled: 5, debt: debt)
    next.modem.identity = "other"
    next.handle(.seen(next.modem))
    #expect(next.setups.isEmpty && next.disk == nil)
    next = World(7, enabled: 1, debt: debt)
    next.handle(.seen(next.modem))
    #expect(next.setups.isEmpty && next.disk == nil)
  }

  @Test("another program that takes it away is answered once a minute at most")
  func duel() {
    var world = World()
    world.open()
    for _ in 0..<100 {
      world.change(0)
      world.pass(6)
    }
    #expect((9...12).contains(world.setups.count), "\(world.setups.count)")
    // A program that shows the place to everybody is answered as seldom.
    world.change(4, shows: true)
    world.pass(200)
    #expect(!world.modem.isShown && world.setups.allSatisfy { !$0.shows })
  }

  @Test("a refusal is told and tried again in a minute")
  func refused() {
    var world = World()
    world.isRefusing = true
    world.open()
    world.pass(599)
    #expect(world.setups.count == 10 && world.steps.contains(.fail("no")))
    world.isRefusing = false
    world.pass(60)
    #expect(world.modem.enabled.rawValue == 4 && world.steps.last != .fail("no"))
  }

  @Test("the receiver's own port is preferred, and sentences are asked for where it cannot be read")
  func port() {
    var world = World(0b10111)
    world.modem.receiverPort = "/dev/ttyUSB1"
    world.open()
    #expect(world.masks == [16] && world.steps.contains(.openPort("/dev/ttyUSB1")))
    world.handle(.portFailed)
    #expect(world.masks == [16, 4])
    world.close()
    #expect(world.masks == [16, 4, 0])
    // A receiver that another program has on is read where it may be, and left alone else.
    world = World(0b10111, enabled: 16)
    world.modem.receiverPort = "/dev/ttyUSB1"
    world.open()
    #expect(world.setups.isEmpty && world.steps.contains(.openPort("/dev/ttyUSB1")))
    world.handle(.portFailed)
    #expect(world.setups.isEmpty)
    #expect(world.steps.contains(.fail("another program reads its receiver")))
    world.close()
    #expect(world.setups.isEmpty)
  }

  @Test("the cell is asked for only while it is needed, and said every half minute")
  func cells() {
    var world = World(7)
    world.cell = "262,02,FFFE,1CEAD8F0,6FFE"
    world.open()
    world.pass(10)
    #expect(world.masks == [4])
    world.handle(.wanted(.zero, cells: true))
    world.pass(90)
    #expect(world.masks == [4, 5])
    let cells = world.steps.compactMap { if case .cell(let cell) = $0 { cell } else { nil } }
    let tower = CellTower(radio: .lte, country: 262, network: 2, area: 0x6FFE, cell: 0x1CEA_D8F0)
    #expect((3...4).contains(cells.count) && tower != nil)
    #expect(cells.allSatisfy { $0 == tower })
    world.handle(.wanted(.zero, cells: false))
    #expect(world.masks == [4, 5, 4])
  }

  @Test("a modem that goes owes nothing, and one that comes back is opened anew")
  func gone() {
    var world = World()
    world.open()
    world.handle(.seen(nil))
    #expect(world.disk == nil && world.steps.last == .fail("no modem that tells a place is there"))
    world.modem.enabled = []
    world.handle(.seen(world.modem))
    #expect(world.masks == [4, 4])
  }
}

@Suite("A modem's sentences") struct ModemEpochTests {
  private static func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)"
  }

  private static func time(_ second: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let second = second % 86_400
    return two(second / 3600) + two(second / 60 % 60) + two(second % 60) + ".00"
  }

  /// The sentences that ModemManager holds at a moment: a receiver says its kinds one after the other.
  private static func held(_ milliseconds: Int, withOld: Bool = false) -> String {
    let second = milliseconds / 1000
    let rmc = milliseconds % 1000 < 100 ? second - 1 : second
    let gsa = milliseconds % 1000 < 150 ? second - 1 : second
    // A kind that the receiver no longer says.
    let old = withOld ? [sentence("GNGNS,120000.00,4500,N,00700,E,A,08,1,9,47,,")] : []
    let all = [
      sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,1.\(gsa % 10),0.9,1.3"),
      sentence("GPRMC,\(time(rmc)),A,4500.\(1000 + rmc % 1000),N,00700.0000,E,0,,201126,,,A"),
      sentence(
        "GPGGA,\(time(second)),4500.\(1000 + second % 1000),N,00700.0000,E,1,08,1,9,M,47,M,,"),
    ]
    return (all + old).joined(separator: "\r\n")
  }

  @Test(
    "in ten minutes no epoch is told twice, and none is mixed", arguments: [0, 30, 120, 400, 990])
  func tenMinutes(phase: Int) {
    var world = World()
    let start = world.now
    world.nmea = { Self.held(Int(($0 - start).seconds * 1000) + 86_100_000 + phase, withOld: true) }
    world.open()
    world.pass(600)
    let epochs = world.epochs
    #expect((590...601).contains(epochs.count), "\(epochs.count)")
    var times: [Substring] = []
    var halves = 0
    for epoch in epochs {
      let lines = epoch.split(separator: "\r\n")
      let said = lines.filter { $0.contains("RMC") || $0.contains("GGA") }
        .map { $0.split(separator: ",")[1] }
      #expect(Set(said).count == 1)
      halves += said.count < 2 ? 1 : 0
      times.append(said.first ?? "")
      #expect(epoch.hasSuffix("\r\n"))
    }
    // The first, where the old kind was waited for.
    #expect(Set(times).count == times.count && halves <= 1)
  }

  @Test("the same text again is nothing new, and what is no text of a receiver's is nothing")
  func same() {
    var epochs = ModemEpochs()
    guard case .epoch = epochs.read(Self.held(400)) else { return #expect(Bool(false)) }
    #expect(epochs.read(Self.held(400)) == .same && epochs.read(Self.held(950)) == .same)
    for text in ["", "\r\n", "$,", "$GPRMC", "$GPRMC,,V,,,,,,,,,,N*53", "\u{0}$GPGGA,x,y"] {
      #expect(epochs.read(text) == .same)
    }
    #expect(epochs.read(String(repeating: Self.held(5000), count: 200)) == .same)
  }

  @Test("half an epoch is waited for, but not for ever")
  func half() {
    var epochs = ModemEpochs()
    _ = epochs.read(Self.held(400))
    // The other kinds stay as they were.
    func text(_ second: Int) -> (new: String, all: String) {
      let rmc = "GPRMC,\(Self.time(second)),A,4500,N,00700,E,0,,201126,,,A"
      let new = Self.sentence(rmc) + "\r\n"
      return (new, new + Self.sentence("GPGGA,\(Self.time(0)),4500,N,00700,E,1,08,1,9,M,47,M,,"))
    }
    for _ in 0..<3 { #expect(epochs.read(text(9).all) == .half) }
    #expect(epochs.read(text(9).all) == .epoch(text(9).new))
    // The silent kind is not waited for any more.
    #expect(epochs.read(text(10).all) == .epoch(text(10).new))
  }

  @Test("a cell's text is read, and what stands for none is none")
  func cells() {
    #expect(CellTower(modem: "262,02,1CE,F0,0", radio: .gsm)?.area == 0x1CE)
    #expect(CellTower(modem: "262,02,0,1CEAD8F0,6FFE", radio: .lte)?.area == 0x6FFE)
    for text in [
      "", ",,,,", "262,02,0,0,0", "262,02,FFFE,1,FFFE", "262,02,1,FFFFFFFF,1", "x,y,1,2",
    ] {
      #expect(CellTower(modem: text, radio: .lte) == nil)
    }
    #expect(CellTower.Radio(accessTechnologies: 1 << 14 | 1 << 5) == .lte)
    #expect(CellTower.Radio(accessTechnologies: 1 << 9) == .wcdma)
    #expect(CellTower.Radio(accessTechnologies: 1 << 1) == .gsm)
    #expect(CellTower.Radio(accessTechnologies: 1 << 15) == nil)
  }
}
