import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A modem of ModemManager's: its receiver, and its cell. It performs what `ModemMachine` says.
final class ModemSource: Source {
  private let name: String?
  private let context: SourceContext
  private let bus: BusConnection?
  private let memory: SpeedMemory
  private let file: ModemFile
  private var machine: ModemMachine
  private var reader: NMEAReader?
  private var line: TtyLine?
  private var before = ReceiverCounters()
  private var timer: EventLoop.Timer?
  private var subscriptions: [BusSubscription] = []
  private var looking: BusCall?
  private var looksAgain = false
  private var setup: BusCall?
  private var asking: BusCall?
  private var trouble: String?
  /// The body to call once the changes are put back.
  private var left: (() -> Void)?

  init(
    _ name: String?, in context: SourceContext, _ memory: SpeedMemory, _ bus: BusConnection?,
    _ file: ModemFile
  ) throws(SystemError) {
    (self.name, self.context, self.memory) = (name, context, memory)
    (self.bus, self.file) = (bus, file)
    machine = ModemMachine(file.debt)
    timer = try EventLoop.Timer(slack: .milliseconds(10), on: context.loop) { [unowned self] in
      handle(.timer)
    }
    reader = try NMEAReader(on: context.loop) { context.report($0) }
    // A daemon before has left something changed.
    if machine.isBusy { listen() }
  }

  func open(for demand: SourceDemand) {
    reader?.begin(reader?.counters)
    before = reader?.counters ?? before
    update(demand)
    listen()
  }

  func update(_ demand: SourceDemand) {
    handle(.wanted(demand.accuracy.map { _ in demand.pause }, cells: demand.cells))
  }

  func close() {
    handle(.wanted(nil, cells: false))
    reader?.end()
    rest()
  }

  /// Tells when the modem is as it was before; at once where it is.
  func leave(_ body: @escaping () -> Void) {
    close()
    if machine.isBusy, setup != nil { left = body } else { body() }
  }

  private func handle(_ input: ModemMachine.Input) {
    var steps: [ModemMachine.Step] = []
    machine.handle(input, at: Clock.boottime, into: &steps)
    timer?.set(machine.wakesAt)
    for step in steps { perform(step) }
    if setup == nil {
      let left = left.take()
      left?()
    }
  }

  private func rest() {
    guard !machine.isBusy, !subscriptions.isEmpty else { return }
    subscriptions = []
    looking = nil
    asking = nil
    // Changes are not heard from here on.
    handle(.seen(nil))
  }
}

// MARK: - Steps

extension ModemSource {
  private static let manager = "org.freedesktop.ModemManager1"
  private static let location = manager + ".Modem.Location"

  private func perform(_ step: ModemMachine.Step) {
    switch step {
    case .setUp(let path, let sources, let shows):
      setup = call(path, "Setup", [.uint32(sources), .bool(shows)]) { [unowned self] in
        setup = nil
        handle(.didSetUp($0.trouble))
        rest()
      }
    case .setRate(let path, let rate):
      guard
        let message = try? BusMessage(
          to: Self.manager, path, Self.location, "SetGpsRefreshRate", [.uint32(rate)])
      else { return }
      message.forgoReply()
      bus?.send(message)
    case .askLocation(let path):
      asking = call(path, "GetLocation") { [unowned self] in
        asking = nil
        switch $0 {
        case .success(let values):
          let said = ModemWords.location(values.first)
          handle(.located(nmea: said[Modem.Sources.nmea.rawValue], cell: said[1]))
        case .failure: handle(.refused($0.trouble ?? ""))
        }
      }
    case .openPort(let port): open(port)
    case .closePort: closeLine()
    case .read(let sentences):
      var sentences = sentences
      // ModemManager is asked now and then: the receiver has said them before.
      sentences.withUTF8 { reader?.read(UnsafeRawBufferPointer($0), asSpoken: false) }
      reader?.flush()
    case .cell(let cell): context.post(.heard(cell))
    case .remember(let debt): file.remember(debt)
    case .found:
      trouble = nil
      context.reportFound()
    case .fail(let reason):
      trouble = reason
      context.reportFailure(reason)
    }
  }

  private func open(_ port: String) {
    guard let reader else { return }
    do throws(SystemError) {
      // The speed of a modem's own port is nothing to it.
      line = try TtyLine(port, speed: 115_200, memory, into: reader, on: context.loop) {
        [unowned self] _ in
        closeLine()
        handle(.portFailed)
      }
    } catch {
      handle(.portFailed)
    }
  }

  /// The reader goes on with the sentences that ModemManager tells.
  private func closeLine() {
    line?.close()
    line = nil
    reader?.begin(reader?.counters)
  }

  private func call(
    _ path: String, _ member: String, _ arguments: [BusValue] = [],
    completion: @escaping (Result<[BusValue], BusError>) -> Void
  ) -> BusCall? {
    bus?.call(
      Self.manager, path, Self.location, member, arguments, starts: false, completion: completion)
  }
}

extension Result<[BusValue], BusError> {
  /// The trouble in words for an administrator.
  fileprivate var trouble: String? {
    guard case .failure(let error) = self else { return nil }
    return error.name.hasSuffix(".Unauthorized") || error.name.hasSuffix(".AccessDenied")
      ? ModemWords.unauthorized : "ModemManager: \(error.message)"
  }
}

// MARK: - Looking for it

extension ModemSource {
  private func listen() {
    guard subscriptions.isEmpty else { return }
    guard let bus else { return context.reportFailure("there is no bus to find a modem on") }
    let objects = BusSubscription.Filter(interface: "org.freedesktop.DBus.ObjectManager")
    do throws(BusError) {
      subscriptions = [
        try bus.listen(to: Self.manager, .properties()) { [unowned self] event in
          switch event {
          case .owner(nil): handle(.seen(nil))
          case .owner: look()
          case .signal(let signal): if ModemWords.isNews(signal) { look() }
          }
        },
        try bus.listen(to: Self.manager, objects) { [unowned self] event in
          if case .signal = event { look() }
        },
      ]
    } catch {
      context.reportFailure("\(error)")
    }
  }

  /// Looks once at a time, and once more where something has changed meanwhile.
  private func look() {
    guard looking == nil else {
      looksAgain = true
      return
    }
    looking = bus?.call(
      Self.manager, "/org/freedesktop/ModemManager1", "org.freedesktop.DBus.ObjectManager",
      "GetManagedObjects", starts: false
    ) { [unowned self] answer in
      looking = nil
      if looksAgain {
        looksAgain = false
        return look()
      }
      let modems = ModemWords.modems((try? answer.get())?.first)
      handle(.seen(Modem.chosen(among: modems, named: name)))
      rest()
    }
  }
}

// MARK: - Describing it

extension ModemSource {
  var counters: ReceiverCounters? { reader?.counters }

  var details: SourceDetails {
    var details = SourceDetails()
    line?.describe(into: &details)
    if line == nil { reader?.describe(into: &details, since: before) }
    if let trouble { details.remark = trouble }
    return details
  }
}
