import LocationModel
import Platform
import TrackCore

/// The outcome of sending a message.
enum Dispatch {
  /// The number under which the transport tells of it, and the bytes that it costs.
  case sent(receipt: Int, bytes: Int)
  case notNow
  /// Longer than the server takes.
  case tooLong
}

/// One way to a server. It tells the uplink's machine of what becomes of the messages.
protocol Transport: AnyObject {
  func send(_ message: UplinkQueue.Message) -> Dispatch
  /// Tells the newest place once more, for so many bytes. The receipt is nil where none comes.
  func sendHeartbeat(_ entry: TrackEntry) -> (receipt: Int?, bytes: Int)
  /// Takes away the place that the server shows to those that come later, for so many bytes.
  func clearPlace() -> Int
  /// Tells what is no part of the track, for so many bytes.
  func say(_ saying: Saying) -> Int
  /// The program ends: waits until it can part from the server with a word.
  func settle(until deadline: Boottime)
}

extension Transport {
  func settle(until deadline: Boottime) {}
}

extension Instant {
  static var now: Instant {
    let boottime = Clock.boottime
    return Instant(boottime: boottime, utc: Clock.utc, utcTrusted: Clock.isSet(at: boottime))
  }
}

extension Log {
  func write(_ remark: Remark) {
    switch remark {
    case .error(let text): error(text)
    case .warning(let text): warning(text)
    case .notice(let text): notice(text)
    case .info(let text): info(text)
    }
  }
}
