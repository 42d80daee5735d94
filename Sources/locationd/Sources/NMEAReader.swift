import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// One receiver's NMEA, from its bytes to its fixes.
final class NMEAReader {
  private let handler: (Reading) -> Void
  private var silence: EventLoop.Timer?
  private var decoder = NMEADecoder(NMEAReader.options)
  private var readings: [Reading] = []
  private var record = FixRecord()
  /// Telling a fix may end it: whoever tells one looks here before going on.
  private var isOn = false
  private var lastHeard: Boottime = .start

  private static let longSilence: Duration = .seconds(3)
  private static let options = NMEADecoder.Options(requireChecksum: true, live: true)

  init(on loop: EventLoop, handler: @escaping (Reading) -> Void) throws(SystemError) {
    self.handler = handler
    silence = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in flush() }
  }

  var counters: ReceiverCounters { decoder.counters }

  /// The line is open, or open again.
  func begin(_ counters: ReceiverCounters? = nil) {
    isOn = true
    decoder.begin(counters)
    record = FixRecord()
    silence?.set(nil)
  }

  /// `asSpoken`: the bytes come as the receiver says them.
  func read(_ bytes: UnsafeRawBufferPointer, asSpoken: Bool = true) {
    let now = Instant.now
    lastHeard = now.boottime
    decoder.read(bytes, asSpoken: asSpoken, at: now, into: &readings)
    deliverAll()
    if isOn { silence?.set(decoder.silence.map { Clock.boottime + $0 }) }
  }

  /// The receiver has said all that it will say of this epoch.
  func flush() {
    decoder.flush(at: .now, into: &readings)
    deliverAll()
  }

  /// Nothing more is told.
  func end() {
    isOn = false
    silence?.set(nil)
    readings.removeAll()
  }

  private func deliverAll() {
    // In their order, each moved out and not copied; the last telling may have ended it.
    readings.reverse()
    while isOn, let reading = readings.popLast() {
      if case .fix(let fix) = reading { record.note(fix, at: Clock.boottime) }
      handler(reading)
    }
    if !isOn { readings.removeAll() }
  }
}

extension NMEAReader {
  /// `before`: as the counters were when the line was opened.
  func describe(into details: inout SourceDetails, since before: ReceiverCounters) {
    let now = Clock.boottime
    details.language = "NMEA 0183"
    record.describe(into: &details, at: now)
    if isOn { details.satellites = decoder.satellites }
    details.satellitesInView = decoder.satellitesInView ?? details.satellitesInView
    guard isOn, details.remark == nil else { return }
    guard !record.isFlowing(at: now) else {
      details.remark = decoder.timeFault.map(Diagnosis.of)
      return
    }
    details.remark =
      counters.bytes > before.bytes && now - lastHeard > Self.longSilence
      ? "nothing comes from it any more"
      : Diagnosis.whyNoFix(counters, since: before, inView: details.satellitesInView)
  }
}
