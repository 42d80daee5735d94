import LocationModel
import Testing

@testable import TrackCore

/// A disk, a server, the network between them, and a clock, around the machine of an uplink.
struct UplinkWorld {
  typealias Step = UplinkMachine.Step

  enum Write: Equatable {
    case save(Confirmed, sending: ClosedRange<Int64>?)
    case remember(String)
  }

  let plan: UplinkPlan
  var machine: UplinkMachine
  var now = Instant(
    boottime: .start + .seconds(3600), utc: Timestamp(microseconds: 1_772_359_200_000_000),
    utcTrusted: true)
  var network: NetworkConnection?
  /// Entries on the disk, what it knows of the server, and what is on its way there.
  var numbers: [Int64] = []
  var disk = UplinkMemory()
  var writes: [Write] = []
  var reads: [ClosedRange<Int64>] = []
  /// Sent on this connection and not answered, by receipts.
  var underWay: [Int: [Int64]] = [:]
  var heard: [Int64] = []
  /// The server has confirmed them, or will never take them.
  var taken: Set<Int64> = []
  /// The way by which it is connected, or is about to be.
  var way: BrokerMemory.Connection??
  var isOpen = false
  var address: UplinkAddress?
  var wake: Boottime?
  var log: [String] = []
  /// The network and the budget are as it wants them, as it was told last.
  var mayUse = true
  /// Faults whose cause is looked for.
  var searches: [String] = []
  /// The server takes so many entries in a message.
  var longest = Int.max
  /// The bytes that a message costs.
  var cost = 100
  private(set) var receipts = 0
  /// The newest place, which heartbeats tell, by the number of its entry.
  var position: Int64 = 0

  init(_ url: String = "mqtt://b/t", _ change: (inout UplinkPlan) -> Void = { _ in }) throws {
    var plan = UplinkPlan(name: "fleet", try UplinkAddress(url))
    change(&plan)
    self.plan = plan
    machine = UplinkMachine(plan, disk, newest: 0, at: now.boottime)
  }

  /// Hands an input to the machine, and answers what is answered at once; tells all steps.
  @discardableResult mutating func handle(_ input: UplinkMachine.Input) -> [Step] {
    var (inputs, all) = ([input], [Step]())
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      let steps = machine.handle(input, at: now, chance: 1)
      all += steps
      for step in steps { inputs += perform(step) }
    }
    let unsure = machine.queue.underWay + machine.checkpoint.count
    if unsure > max(plan.rule.window, 8) { Issue.record("\(unsure) may come twice") }
    return all
  }

  private mutating func perform(_ step: Step) -> [UplinkMachine.Input] {
    switch step {
    case .connect(let way, let address):
      self.address = address
      if plan.obstacle(on: network) != nil { Issue.record("it connects by another network") }
      (self.way, isOpen, underWay) = (.some(way), false, [:])
    case .close: (way, isOpen, underWay) = (nil, false, [:])
    case .read(let range): reads.append(range)
    case .send(let message):
      let numbers = message.entries.map(\.number)
      if !isOpen || plan.obstacle(on: network) != nil
        || numbers.contains(where: disk.confirmed.contains)
      {
        Issue.record("\(numbers) may not be sent")
      }
      guard numbers.count <= longest else {
        return [.unsendable(message.number, isTooLong: true)]
      }
      receipts += 1
      underWay[receipts] = numbers
      heard += numbers
      return [.sent(message.number, receipt: receipts, bytes: cost)]
    case .sendHeartbeat:
      receipts += 1
      let entry = UplinkQueueTests.entry(position)
      return [.sentHeartbeat(entry, receipt: receipts, bytes: cost)]
    case .say, .clearPlace: return [.counted(bytes: cost)]
    case .save(let confirmed, let sending): writes.append(.save(confirmed, sending: sending))
    case .remember(let text, _): writes.append(.remember(text))
    case .park(let number, let reason, let date):
      disk.parked.add(.init(reason: reason, count: 1, last: number), at: date)
      taken.insert(number)
    case .reopen(let confirmed, let sending, _): writes.append(.save(confirmed, sending: sending))
    case .count(let text): disk.usage = text
    case .reviewed: mayUse = machine.maySend
    case .findCause(let fault, let address): searches.append("\(fault) at \(address.host)")
    case .wake(let moment): wake = moment
    case .log(.error(let text)), .log(.warning(let text)), .log(.notice(let text)),
      .log(.info(let text)):
      log.append(text)
    case .obey: break
    }
    return []
  }

  mutating func pass(_ time: Duration) {
    (now.boottime, now.utc) = (now.boottime + time, now.utc + time)
  }

  /// The disk does the oldest write, or cannot.
  @discardableResult mutating func write(isWritten: Bool = true) -> [Step] {
    switch writes.removeFirst() {
    case .save(let confirmed, let sending):
      if isWritten { (disk.confirmed, disk.sending) = (confirmed, sending) }
      return handle(.saved(isWritten: isWritten))
    case .remember(let text):
      if isWritten { disk.broker = text }
      return handle(.remembered(text, isWritten: isWritten))
    }
  }

  @discardableResult mutating func read() -> [Step] {
    let range = reads.removeFirst()
    return handle(.loaded(numbers.filter(range.contains).map(UplinkQueueTests.entry), of: range))
  }

  @discardableResult mutating func open() -> [Step] {
    isOpen = true
    return handle(.opened)
  }

  @discardableResult mutating func confirm(_ receipt: Int? = nil) -> [Step] {
    guard let receipt = receipt ?? underWay.keys.min(),
      let numbers = underWay.removeValue(forKey: receipt)
    else { return [] }
    taken.formUnion(numbers)
    return handle(.confirmed(receipt))
  }

  @discardableResult mutating func refuse(_ receipt: Int) -> [Step] {
    underWay[receipt] = nil
    return handle(.refused(receipt, ServerRefusal(status: 400)))
  }

  /// The server answers what is under way, each entry by itself, and refuses those that it finds bad; nothing is
  /// left to be said before the clock goes on.
  mutating func answer(refusing isBad: (Int64) -> Bool) {
    settle()
    while let receipt = underWay.keys.min() {
      let isRefused = underWay[receipt]?.contains(where: isBad) == true
      if isRefused { refuse(receipt) } else { confirm(receipt) }
      settle()
    }
  }

  /// The track grows by so many entries, after a gap.
  @discardableResult mutating func grow(_ count: Int, after gap: Int64 = 0) -> [Step] {
    let first = (numbers.last ?? 0) + 1 + gap
    let new = (0..<Int64(count)).map { first + $0 }
    numbers += new
    return handle(.extended(new.map(UplinkQueueTests.entry)))
  }

  @discardableResult mutating func move(to network: NetworkConnection?) -> [Step] {
    self.network = network
    return handle(.network(network))
  }

  /// The program is killed: the disk has done the first of its writes, and another run begins.
  mutating func crash(writing count: Int = 0) {
    for write in writes.prefix(count) {
      switch write {
      case .save(let confirmed, let sending): (disk.confirmed, disk.sending) = (confirmed, sending)
      case .remember(let text): disk.broker = text
      }
    }
    (writes, reads, underWay, way, isOpen) = ([], [], [:], nil, false)
    machine = UplinkMachine(plan, disk, newest: numbers.last ?? 0, at: now.boottime)
    handle(.network(network))
    handle(.begin)
  }

  /// All goes well until nothing is left to do at this moment but what the server has to say.
  mutating func settle() {
    while true {
      if !writes.isEmpty {
        write()
      } else if !reads.isEmpty {
        read()
      } else if way != nil, !isOpen {
        open()
      } else if let wake, wake <= now.boottime {
        self.wake = nil
        handle(.timer)
      } else {
        return
      }
    }
  }

  /// The clock goes on to the next moment that the machine waits for.
  mutating func rest() {
    if let wake, wake > now.boottime { pass(wake - now.boottime) }
    settle()
  }
}

extension UplinkWorld {
  /// Connected, and some entries under way.
  static func running(
    _ url: String = "mqtt://b/t", entries: Int = 0, _ change: (inout UplinkPlan) -> Void = { _ in }
  ) throws -> UplinkWorld {
    var world = try UplinkWorld(url, change)
    world.move(to: .home)
    world.handle(.begin)
    world.settle()
    if entries > 0 { world.grow(entries) }
    world.settle()
    return world
  }
}

extension Removal {
  static let all = of(0...Int64.max)
  /// Entries of these numbers: that is their date, too.
  static func of(_ numbers: ClosedRange<Int64>) -> Removal {
    .time(
      Timestamp(microseconds: numbers.lowerBound)...Timestamp(microseconds: numbers.upperBound))
  }
}

extension NetworkConnection {
  static let home = Self(id: "home", uuid: "1", type: "802-11-wireless")
  static let phone = Self(id: "phone", uuid: "2", type: "gsm")
}
