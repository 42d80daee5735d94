import LocationModel
import Platform
import TrackCore

/// One way to a server.
protocol Transport: AnyObject {
  /// The number under which it tells of the message, and the bytes that it costs; nil where it cannot be
  /// sent now.
  func send(_ message: UplinkQueue.Message) -> (receipt: Int, bytes: Int)?
  /// Tells the newest place once more, for so many bytes.
  func sendHeartbeat(_ entry: TrackEntry) -> Int
  /// Tells what is no part of the track, for so many bytes.
  func say(_ saying: Saying) -> Int
}

enum Saying {
  /// The waypoints that there are, each alone, until they are confirmed.
  case announcement([Waypoint])
  /// Answers to commands.
  case waypoints([Waypoint])
  case status(JSON)
  case steps
}

enum TransportEvent {
  case opened
  case confirmed(Int)
  /// The server will never take it.
  case refused(Int, reason: String)
  case failed(Int, reason: String, wait: Duration?)
  case closed(reason: String, BrokerMemory.End)
  case commanded(Result<OwnTracks.Command, Unusable>)
  /// The broker has all waypoints.
  case announced
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
