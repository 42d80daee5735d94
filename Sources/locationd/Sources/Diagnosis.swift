import LocationCore
import LocationModel
import ReceiverCore

/// Why there is no fix though the source can be read, as a person would say it.
enum Diagnosis {
  /// `before`: as they were when the line was opened.
  static func whyNoFix(
    _ now: ReceiverCounters, since before: ReceiverCounters, inView: Int?
  ) -> String {
    if now.bytes == before.bytes { return "nothing comes from it" }
    if now.sentences == before.sentences {
      return now.badChecksums > before.badChecksums + 2
        ? "what comes is garbled" : "what comes is no NMEA"
    }
    return noFix(inView: inView)
  }

  /// The receiver whose fixes get their times from this machine.
  static func of(_ fault: NMEADecoder.TimeFault) -> String {
    switch fault {
    case .standing: "the receiver's clock stands still"
    case .missing: "the receiver says no time"
    }
  }

  static func noFix(inView: Int?) -> String {
    switch inView {
    case nil: "the receiver has no fix"
    case 0?: "the receiver has no fix, and sees no satellite: it needs a view of the sky"
    case 1?: "the receiver has no fix, and sees 1 satellite"
    case let count?: "the receiver has no fix, and sees \(count) satellites"
    }
  }
}
