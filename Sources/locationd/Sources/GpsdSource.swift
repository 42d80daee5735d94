import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// The receivers of a gpsd, which is connected to, and so keeps them running, only while it is open.
final class GpsdSource: Source {
  private let address: SourceURL.Gpsd
  private let context: SourceContext
  /// The time that gpsd may take to answer: opening a serial line makes it deaf for seconds.
  private let patience: Duration
  private var link: Link?
  private var decoder: GpsdDecoder
  private var readings: [Reading] = []
  private var words: [GpsdDecoder.Word] = []
  private var record = FixRecord()
  private var silence: EventLoop.Timer?
  private var check: EventLoop.Timer?

  /// Telling a fix may close it: whoever tells one looks here before going on.
  private var isWanted: Bool { link?.isOpen == true }
  /// Whether it has a receiver; nil until it has said so.
  private var hasReceiver: Bool?
  private var lastHeard: Boottime = .start
  /// When it said something of a receiver, or had one.
  private var lastReport: Boottime = .start
  private var hasAnswered = false

  init(
    _ address: SourceURL.Gpsd, in context: SourceContext, patience: Duration = .seconds(10)
  ) throws(SystemError) {
    self.address = address
    self.context = context
    self.patience = patience
    decoder = GpsdDecoder(device: address.device)
    silence = try EventLoop.Timer(slack: .milliseconds(1), on: context.loop) { [unowned self] in
      flush()
    }
    check = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      checkIt()
    }
    let target = Link.Target.tcp(host: address.host, port: address.port)
    let obstacle: () -> String? = {
      address.mustBeSystems ? GpsdListener.whyNot(port: address.port) : nil
    }
    link = try Link(to: target, with: context.resolver, unless: obstacle) { [unowned self] event in
      switch event {
      case .connected: begin()
      case .received(let bytes): read(bytes)
      case .lost(let reason):
        flush()
        rest()
        if isWanted { context.reportFailure(reason) }
      }
    }
  }

  func open(for _: SourceDemand) { link?.open() }

  func isLoop(_ way: WayBack) -> Bool {
    guard let link, link.isLoop(way) else { return false }
    link.fail(
      "\(address.host) port \(address.port) is locationd-share's, which has from here what it tells:"
        + " a receiver or another gpsd is to be the source")
    return true
  }

  func close() {
    link?.close()
    rest()
  }

  private func rest() {
    silence?.set(nil)
    check?.set(nil)
  }
}

// MARK: - Talking with it

extension GpsdSource {
  private func begin() {
    decoder = GpsdDecoder(device: address.device, counters: decoder.counters)
    record = FixRecord()
    hasReceiver = nil
    watchIt()
  }

  private func watchIt() {
    let only = address.device.map { #","device":"# + JSON.string($0).text } ?? ""
    ask(#"?WATCH={"enable":true,"json":true\#(only)};"#)
  }

  private func ask(_ question: String) {
    link?.send(question + "\n")
    hasAnswered = false
    check?.set(Clock.boottime + patience)
  }

  /// A gpsd whose receiver is silent says nothing either: only a question tells whether it lives.
  private func checkIt() {
    guard hasAnswered else { return link?.fail("it does not answer") ?? () }
    let due = lastHeard + (hasReceiver == true ? Self.longSilence : Self.shortSilence)
    if due > Clock.boottime { check?.set(due) } else { ask("?DEVICES;") }
  }

  private static let longSilence: Duration = .seconds(3)
  /// While there is no receiver, and one may come.
  private static let shortSilence: Duration = .seconds(1)

  private func read(_ bytes: UnsafeRawBufferPointer) {
    lastHeard = Clock.boottime
    let before = decoder.counters
    decoder.read(bytes, at: .now, into: &readings, words: &words)
    let said = words
    words.removeAll(keepingCapacity: true)
    // A line that is neither an answer nor an announcement of gpsd's is of a receiver.
    let lines = decoder.counters.sentences - before.sentences
    if lines > Int64(said.count) + decoder.counters.unused - before.unused {
      lastReport = lastHeard
    }
    for word in said where isWanted { hear(word) }
    postFixes()
    if isWanted, link?.isConnected == true {
      silence?.set(decoder.silence.map { Clock.boottime + $0 })
    }
  }

  private func hear(_ word: GpsdDecoder.Word) {
    // Only what it says to us shows that it listens; its reports of places need no ear.
    if !hasAnswered {
      hasAnswered = true
      checkIt()
    }
    switch word {
    case .greeting: link?.confirm()
    case .receivers:
      let has = !decoder.receivers.isEmpty
      guard hasReceiver != has else { return }
      let had = hasReceiver
      hasReceiver = has
      lastReport = Clock.boottime
      if has { context.reportFound() } else { context.reportFailure("gpsd has no receiver") }
      // It opens those that came later only when asked again.
      if had == false, isWanted { watchIt() }
    case .refusal(let message): link?.fail("gpsd: \(message)")
    }
  }

  private func flush() {
    decoder.flush(at: .now, into: &readings)
    postFixes()
  }

  private func postFixes() {
    let all = readings
    readings.removeAll(keepingCapacity: true)
    for reading in all where isWanted {
      if case .fix(let fix) = reading { record.note(fix, at: Clock.boottime) }
      context.report(reading)
    }
  }
}

// MARK: - Describing it

extension GpsdSource {
  var counters: ReceiverCounters? { decoder.counters }

  var details: SourceDetails {
    var details = SourceDetails()
    let now = Clock.boottime
    let receiver = decoder.receiver
    details.device = receiver?.path
    details.baud = receiver?.baud
    let release = decoder.release.map { "gpsd \($0)" } ?? "gpsd"
    details.language = release + (receiver?.driver.map { " (\($0))" } ?? "")
    record.describe(into: &details, at: now)
    let (used, inView) = decoder.satellites
    if isWanted { details.satellites = decoder.view }
    details.satellitesUsed = used ?? details.satellitesUsed
    details.satellitesInView = inView ?? details.satellitesInView
    details.nextRetry = link?.nextRetry.map { $0.seconds(since: now) }
    if !isWanted, address.mustBeSystems {
      details.remark = GpsdListener.whyNot(port: address.port)
    }
    if isWanted, hasReceiver == true, !record.isFlowing(at: now) {
      details.remark =
        now - lastReport > Self.longSilence
        ? "nothing comes from it" : Diagnosis.noFix(inView: details.satellitesInView)
    }
    return details
  }
}
