/// The question for the place of a radio by the networks and the cells that it hears: for the daemon alone.
package struct GeolocateRequest: PlaceQuestion {
  package var networks: [AccessPoint]
  package var cells: [CellTower]
  package var options = PlaceOptions()

  package init(networks: [AccessPoint] = [], cells: [CellTower] = []) {
    self.networks = networks
    self.cells = cells
  }

  /// Two radios hear the same place where they share this much of all networks that they hear, and the cells.
  package func hearsSame(as other: Self) -> Bool {
    let (mine, theirs) = (Set(networks.map(\.address)), Set(other.networks.map(\.address)))
    let shared = Double(mine.intersection(theirs).count)
    return cells == other.cells && shared >= Double(mine.union(theirs).count) * Self.sameness
  }

  private static let sameness = 2.0 / 3
  /// A network alone stands for no place.
  package static let leastNetworks = 2
  static let mostNetworks = 256
  static let mostCells = 32
}

/// A Wi-Fi network in a question: never its name.
package struct AccessPoint: Hashable, Sendable {
  package let address: UInt64
  /// dBm.
  package var signal: Int?
  /// MHz.
  package var frequency: Int?
  /// Milliseconds since it was heard.
  package var age: Int?

  /// Nil for an address that stands for no place.
  package init?(address: UInt64, signal: Int? = nil, frequency: Int? = nil, age: Int? = nil) {
    guard HeardNetwork.mayStand(address) else { return nil }
    self.address = address
    self.signal = signal
    self.frequency = frequency
    self.age = age
  }

  package init?(_ network: HeardNetwork) {
    self.init(
      address: network.address, signal: Int(network.signal.rounded()),
      frequency: network.frequency, age: Int((min(network.age.seconds, 86_400) * 1000).rounded()))
  }
}

/// The place of a radio, by a server's word.
package struct RadioPlace: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Radius of 68 %, in metres.
  package var horizontalAccuracy: Double

  package init(_ coordinate: Coordinate, horizontalAccuracy: Double) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
  }
}

// MARK: - On the wire

extension Method<PlaceRequest> {
  static let geolocate = Method(
    "geolocate", GeolocateRequest(),
    [
      Parameter("wifiAccessPoints", \.networks, Parameters.networks) {
        $0.isEmpty ? nil : .array($0.map(\.json))
      },
      Parameter("cellTowers", \.cells, Parameters.cells) {
        $0.isEmpty ? nil : .array($0.map(\.json))
      },
    ], reply: radioPlace, make: PlaceRequest.geolocate
  ) { if case .geolocate(let request) = $0 { request } else { nil } }

  private static func radioPlace(_ json: JSON) -> PlaceReply? {
    RadioPlace(json).map(PlaceReply.radioPlace)
  }
}

extension AccessPoint {
  package var json: JSON {
    [
      "macAddress": .string(HeardNetwork.text(of: address)),
      "signalStrength": signal.map { .integer(Int64($0)) },
      "frequency": frequency.map { .integer(Int64($0)) }, "age": age.map { .integer(Int64($0)) },
    ]
  }
}

extension RadioPlace {
  var json: JSON {
    [
      "latitude": .number(coordinate.latitude), "longitude": .number(coordinate.longitude),
      "horizontalAccuracy": .number(horizontalAccuracy),
    ]
  }

  init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let accuracy = json["horizontalAccuracy"]?.double, accuracy > 0, accuracy.isFinite
    else { return nil }
    self.init(
      Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: accuracy)
    guard coordinate.isValid else { return nil }
  }
}

extension Parameters {
  /// Networks that stand for no place are left out.
  func networks(_ name: String) throws(Refusal) -> [AccessPoint]? {
    guard let list = try list(name, atMost: GeolocateRequest.mostNetworks) else { return nil }
    var networks: [AccessPoint] = []
    for entry in list {
      let given = try Parameters(entry)
      guard let address = try given.text("macAddress").flatMap(HeardNetwork.address) else {
        throw Refusal(.invalidParameters, "macAddress is six bytes, as in 00:16:3e:00:00:01.")
      }
      let network = AccessPoint(
        address: address, signal: try given.whole("signalStrength", -127...0).map { Int($0) },
        frequency: try given.whole("frequency", 0...100_000).map { Int($0) },
        age: try given.whole("age", 0...86_400_000).map { Int($0) })
      if let network { networks.append(network) }
    }
    return networks
  }

  /// Cells whose numbers stand for none are left out.
  func cells(_ name: String) throws(Refusal) -> [CellTower]? {
    try list(name, atMost: GeolocateRequest.mostCells)?.compactMap(CellTower.init)
  }

  private func list(_ name: String, atMost most: Int) throws(Refusal) -> [JSON]? {
    guard let value = json[name] else { return nil }
    guard let list = value.array, list.count <= most,
      list.allSatisfy({ $0.members != nil })
    else {
      throw Refusal(.invalidParameters, "\(name) is a list of at most \(most) objects.")
    }
    return list
  }
}
