import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// Receivers that send NMEA by UDP, such as a phone. Several are told apart: each is read by itself, and
/// one of them is believed.
final class DatagramSource: Source {
  private let place: SourceURL.Listening
  private let context: SourceContext
  private var listener: DatagramListener?
  private var retry: EventLoop.Timer?
  private var nextRetry: Boottime?
  private var senders: [DatagramSender] = []
  private var preferred = PreferredSender<Int>()
  private var lastNumber = 0

  private static let most = 8
  /// A sender that says nothing for so long makes room for others.
  private static let silence: Duration = .seconds(10)
  /// An address may come with its network.
  private static let pause: Duration = .seconds(2)

  init(
    _ place: SourceURL.Listening, in context: SourceContext
  ) throws(SystemError) {
    self.place = place
    self.context = context
    retry = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      listen()
    }
  }

  func open(for _: SourceDemand) { listen() }

  func isLoop(_ way: WayBack) -> Bool {
    guard case .datagrams(let host, let port) = way, port == place.port else { return false }
    return DatagramListener.hears(datagramsTo: host, at: place.address)
  }

  func close() {
    retry?.set(nil)
    nextRetry = nil
    listener = nil
    for one in senders { one.reader.end() }
    senders = []
  }

  private func listen() {
    nextRetry = nil
    do throws(SystemError) {
      listener = try DatagramListener(address: place.address, port: place.port, on: context.loop) {
        [unowned self] sender, bytes in
        receive(bytes, from: sender)
      }
      context.reportFound()
    } catch {
      let moment = Clock.boottime + Self.pause
      nextRetry = moment
      retry?.set(moment)
      context.reportFailure("\(error)")
    }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, from sender: DatagramListener.Sender) {
    let now = Clock.boottime
    if let i = senders.firstIndex(where: { $0.address == sender })
      ?? DatagramSender.changing(senders, to: sender)
    {
      senders[i].receive(from: sender, at: now)
      return senders[i].reader.read(bytes)
    }
    makeRoom(at: now)
    lastNumber += 1
    guard senders.count < Self.most, let reader = makeReader(for: lastNumber) else { return }
    reader.begin()
    senders.append(DatagramSender(lastNumber, sender, reader, at: now))
    reader.read(bytes)
  }

  private func makeReader(for number: Int) -> NMEAReader? {
    try? NMEAReader(on: context.loop) { [unowned self] reading in
      if case .fix(let fix) = reading {
        guard preferred.admits(fix, from: number, at: Clock.boottime) else { return }
      }
      context.report(reading)
    }
  }

  /// Lets one go that has long been silent.
  private func makeRoom(at now: Boottime) {
    guard senders.count == Self.most,
      let i = senders.indices.min(by: {
        senders[$0].heard < senders[$1].heard
      }), now - senders[i].heard > Self.silence
    else { return }
    senders.remove(at: i).reader.end()
  }
}

extension DatagramSource {
  private var believed: DatagramSender? {
    senders.first { $0.number == preferred.sender } ?? senders.last
  }

  var counters: ReceiverCounters? { believed?.reader.counters ?? ReceiverCounters() }

  var details: SourceDetails {
    var details = SourceDetails()
    details.nextRetry = nextRetry.map { $0.seconds(since: Clock.boottime) }
    guard let believed else {
      details.language = "NMEA 0183"
      if listener != nil { details.remark = "nobody has sent anything" }
      return details
    }
    details.device = believed.address.name
    believed.reader.describe(into: &details, since: ReceiverCounters())
    let now = Clock.boottime
    let count = senders.count { now - $0.heard < Self.silence }
    if count > 1, details.remark == nil {
      details.remark = "of \(count) senders, the one that is believed"
    }
    return details
  }
}
