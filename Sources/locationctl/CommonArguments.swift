import Console
import LocationClient
import LocationModel

extension Arguments {
  /// Metres that are good enough, by either name of the option.
  mutating func accuracy() throws(Failure) -> Double? {
    let short = try number("--accuracy", "metres") { $0 >= -2 }
    return try number("--desired-accuracy", "metres") { $0 >= -2 } ?? short
  }

  mutating func distance() throws(Failure) -> Double? {
    let short = try number("--distance", "metres") { $0 >= -1 }
    return try number("--distance-filter", "metres") { $0 >= -1 } ?? short
  }

  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Peer.daemon.defaultPath
  }
}
