import LocationModel
import MQTT
import Platform
import TrackCore

/// One way to a server. It tells the uplink's machine of what becomes of the messages.
protocol Transport: AnyObject {
  /// The number under which it tells of the message, and the bytes that it costs.
  func send(_ message: UplinkQueue.Message) throws(Unsent) -> (receipt: Int, bytes: Int)
  /// Tells the newest place once more, for so many bytes.
  func sendHeartbeat(_ entry: TrackEntry) -> Int
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
    Instant(boottime: Clock.boottime, utc: Clock.utc, utcTrusted: true)
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
