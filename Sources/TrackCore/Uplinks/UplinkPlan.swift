/// The configuration of one server.
package struct UplinkPlan: Equatable, Sendable {
  package var name: String
  package var address: UplinkAddress
  /// The device's name at the server; the machine's own where none is said.
  package var device: String?
  /// Files.
  package var password: String?
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
  package var takesCommands = false

  package init(name: String, _ address: UplinkAddress) {
    self.name = name
    self.address = address
  }

  var rule: UplinkQueue.Rule {
    var rule = UplinkQueue.Rule()
    rule.isNewestFirst = isNewestFirst
    switch address.words {
    case .ownTracksMQTT: rule.window = batch ?? rule.window
    case .ownTracksHTTP, .osmAnd, .osmAndJSON: rule.window = 1
    case .batches:
      rule.window = 1
      rule.batch = batch ?? 50
    }
    return rule
  }
}
