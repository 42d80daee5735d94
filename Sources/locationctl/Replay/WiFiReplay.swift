import LocationCore
import LocationModel
import ReceiverCore

/// The networks of a recording, learnt from the fixes that the daemon would believe, and the places
/// that they give.
struct WiFiReplay: ~Copyable {
  private var replay: Replay
  private var networks = LearntNetworks(salt: NetworkSalt(0, 0))

  init(isFiltered: Bool) {
    replay = Replay(.init(locations: true, isFiltered: isFiltered))
  }

  /// Returns what the Wi-Fi source would have told after a scan.
  mutating func handle(_ reading: Reading) -> Location? {
    var believed: [Location] = []
    replay.handle(reading) { event, _ in
      if case .didUpdateLocations(let location, _) = event { believed.append(location) }
    }
    for location in believed { networks.handle(location, at: replay.now) }
    guard case .scan(let scan) = reading else { return nil }
    var place = networks.handle(scan, at: replay.now)
    place?.source = "wifi:"
    return place
  }
}
