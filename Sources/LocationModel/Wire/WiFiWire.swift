/// The answer to `wifi.status`: nothing in it says a place or a network.
package struct WiFiStatus: Equatable, Sendable {
  /// Networks are learnt where good fixes say the place.
  package var isLearning: Bool
  /// The number of learnt networks; nil for a client that may not know the place.
  package var networks: Int?
  /// Seconds since the newest scan, whoever had it made; nil where none is known, or may be.
  package var scanAge: Double?
  /// The machine makes scans for the daemon; nil as long as it has not asked.
  package var mayScan: Bool?

  package init(
    isLearning: Bool, networks: Int? = nil, scanAge: Double? = nil, mayScan: Bool? = nil
  ) {
    self.isLearning = isLearning
    self.networks = networks
    self.scanAge = scanAge
    self.mayScan = mayScan
  }
}

extension WiFiStatus {
  var json: JSON {
    [
      "learning": .bool(isLearning), "networks": networks.map { .integer(Int64($0)) },
      "scanAge": scanAge.map { .number(($0 * 10).rounded() / 10) },
      "mayScan": mayScan.map(JSON.bool),
    ]
  }

  init?(_ json: JSON) {
    guard let isLearning = json["learning"]?.bool else { return nil }
    self.init(
      isLearning: isLearning,
      networks: json["networks"]?.integer.flatMap { Int(exactly: $0) },
      scanAge: json["scanAge"]?.double, mayScan: json["mayScan"]?.bool)
  }
}
