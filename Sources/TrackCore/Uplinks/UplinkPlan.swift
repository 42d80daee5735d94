import LocationModel

/// The configuration of one server.
package struct UplinkPlan: Equatable, Sendable {
  package var name: String
  package var address: UplinkAddress
  /// Servers that are tried in turn where the one before cannot be reached.
  package var others: [UplinkAddress] = []
  /// More than one address is written into the configuration: the next takes the place of all.
  package var isReplaced = false
  /// The device's name at the server; the machine's own where none is said.
  package var device: String?
  /// Files.
  package var password: String?
  /// The token that web servers are told instead of a password.
  package var token: String?
  package var authority: String?
  package var certificate: String?
  package var key: String?
  package var batch: Int?
  /// The position is told again after so long without news.
  package var heartbeat: Duration?
  package var isNewestFirst = false
  /// The networks that it is sent on; all where none is said.
  package var onlyOn: [String] = []
  package var budget: DataBudget.Limit?
  package var rate: UplinkRate?
  package var takesCommands = false
  /// Commands may set some keys of the configuration, too.
  package var takesSettings = false
  /// Home Assistant finds the device by itself.
  package var isFound = false
  /// The name of the client at a broker.
  package var clientID: String?
  /// The newest place stays at the broker, for those that come later.
  package var isRetained = true
  /// The broker tells that the device has gone.
  package var hasWill = true
  /// A broker keeps commands so long while the device is away.
  package var session: Duration = .seconds(7 * 86_400)

  package init(name: String, _ address: UplinkAddress) {
    self.name = name
    self.address = address
  }

  package var addresses: [UplinkAddress] { [address] + others }

  /// The broker retains the message of these entries.
  package func retains(_ entries: [TrackEntry]) -> Bool {
    guard isRetained, let entry = entries.first else { return false }
    switch address.words {
    case .ownTracksMQTT: return OwnTracks.subtopic(entry.kind).isEmpty
    case .batchesMQTT: return true
    default: return false
    }
  }

  /// The device's topic at a broker; OwnTracks' own where none is said.
  package func topic(_ device: String) -> String {
    address.path.isEmpty ? "owntracks/\(address.user ?? device)/\(device)" : address.path
  }

  /// The name of the client at a broker. Two with the same name would throw each other out for ever: it has the end
  /// of the topic for a person, a number of the whole topic, and a word of this track: 64 letters at most.
  package func client(topic: String, track: String) -> String {
    if let clientID { return clientID }
    let name = topic.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.suffix(28)
    let whole = String(topic.utf8.stableHash, radix: 16)
    return "locationd-\(String(name))-\(whole)-\(track.prefix(8))"
  }

  var rule: UplinkQueue.Rule {
    var rule = UplinkQueue.Rule()
    rule.isNewestFirst = isNewestFirst
    switch address.words {
    case .ownTracksMQTT: rule.window = batch ?? rule.window
    case .ownTracksHTTP, .osmAnd, .osmAndJSON: rule.window = 1
    case .batches, .batchesMQTT, .overland:
      rule.window = 1
      rule.batch = batch ?? 50
    }
    return rule
  }
}
