import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A receiver that speaks NMEA over TCP or behind a Unix socket. Lost, it is looked for again.
final class StreamSource: Source {
  private let context: SourceContext
  private var link: Link?
  private var reader: NMEAReader?
  private var before = ReceiverCounters()

  init(
    _ target: Link.Target, in context: SourceContext
  ) throws(SystemError) {
    self.context = context
    reader = try NMEAReader(on: context.loop) { reading in
      context.report(reading)
    }
    link = try Link(to: target, with: context.resolver) { [unowned self] event in
      switch event {
      case .connected:
        before = reader?.counters ?? before
        reader?.begin()
        context.reportFound()
      case .received(let bytes):
        link?.confirm()
        reader?.read(bytes)
      case .lost(let reason):
        reader?.flush()
        reader?.end()
        if isWanted { context.reportFailure(reason) }
      }
    }
  }

  /// Telling a fix may close it.
  private var isWanted: Bool { link?.isOpen == true }

  func open(for _: SourceDemand) { link?.open() }

  func isLoop(_ way: WayBack) -> Bool {
    guard let link, link.isLoop(way) else { return false }
    link.fail(
      "it is locationd-share, which has from here what it tells: a receiver is to be the source")
    return true
  }

  func close() {
    link?.close()
    reader?.end()
  }

  var counters: ReceiverCounters? { reader?.counters }

  var details: SourceDetails {
    var details = SourceDetails()
    reader?.describe(into: &details, since: before)
    details.nextRetry = link?.nextRetry.map { $0.seconds(since: Clock.boottime) }
    return details
  }
}
