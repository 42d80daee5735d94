extension Region {
  package var json: JSON {
    var members: JSON
    switch shape {
    case .circle(let centre, let radius):
      members = [
        "identifier": .string(identifier), "type": "circle", "latitude": .number(centre.latitude),
        "longitude": .number(centre.longitude), "radius": .number(radius),
      ]
    case .polygon(let points, let holes):
      members = [
        "identifier": .string(identifier), "type": "polygon", "points": Self.json(points),
        "holes": holes.isEmpty ? nil : .array(holes.map(Self.json)),
      ]
    case .beacon(let constraint):
      members = .object(
        [
          .init(key: "identifier", value: .string(identifier)),
          .init(key: "type", value: "beacon"),
        ] + constraint.members)
    }
    guard case .object(var list) = members else { return members }
    list.append(.init(key: "notifyOnEntry", value: .bool(notifyOnEntry)))
    list.append(.init(key: "notifyOnExit", value: .bool(notifyOnExit)))
    members = .object(list)
    return members
  }

  private static func json(_ ring: [Coordinate]) -> JSON {
    .array(ring.map { .array([.number($0.latitude), .number($0.longitude)]) })
  }

  /// A mistake is said; whether the shape can be monitored is the core's to judge.
  package init(_ json: JSON) throws(Refusal) {
    guard let identifier = json["identifier"]?.string, !identifier.isEmpty,
      identifier.utf8.count <= Self.longestIdentifier
    else {
      throw Refusal(
        .invalidParameters,
        "A region has an identifier of at most \(Self.longestIdentifier) bytes.")
    }
    func wrong(_ what: String) -> Refusal {
      Refusal(.invalidParameters, "The region '\(identifier)' \(what).")
    }
    func flag(_ name: String) throws(Refusal) -> Bool {
      guard let value = json[name] else { return true }
      guard let flag = value.bool else { throw wrong("wants true or false for \(name)") }
      return flag
    }
    let shape: Shape
    let type = json["type"].map { $0.string ?? "" }
    let usual = json["uuid"] != nil ? "beacon" : json["points"] != nil ? "polygon" : "circle"
    switch type ?? usual {
    case "circle":
      guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
        let radius = json["radius"]?.double
      else { throw wrong("wants latitude, longitude and radius") }
      shape = .circle(Coordinate(latitude: latitude, longitude: longitude), radius: radius)
    case "polygon":
      guard let points = Self.ring(json["points"]) else {
        throw wrong("wants points, each as [latitude, longitude]")
      }
      let holes = (json["holes"] ?? .array([])).array?.map(Self.ring)
      guard let holes, !holes.contains(where: { $0 == nil }) else {
        throw wrong("wants holes of points, each as [latitude, longitude]")
      }
      shape = .polygon(points, holes: holes.compactMap { $0 })
    case "beacon": shape = .beacon(try BeaconConstraint(json, "The region '\(identifier)'"))
    default: throw wrong("is neither a circle, nor a polygon, nor a beacon")
    }
    self.init(
      identifier: identifier, shape, notifyOnEntry: try flag("notifyOnEntry"),
      notifyOnExit: try flag("notifyOnExit"))
  }

  private static func ring(_ json: JSON?) -> [Coordinate]? {
    guard let corners = json?.array else { return nil }
    var ring: [Coordinate] = []
    for corner in corners {
      guard let pair = corner.array, pair.count >= 2, let latitude = pair[0].double,
        let longitude = pair[1].double
      else { return nil }
      ring.append(Coordinate(latitude: latitude, longitude: longitude))
    }
    return ring
  }

  static let longestIdentifier = 256
}

extension Parameters {
  func regions() throws(Refusal) -> [Region] {
    guard let list = json["regions"]?.array ?? json["region"].map({ [$0] }) else {
      throw Refusal(.invalidParameters, "A region, or regions, is what to monitor.")
    }
    var regions: [Region] = []
    for json in list { regions.append(try Region(json)) }
    return regions
  }

  func identifiers() throws(Refusal) -> [String] {
    guard let list = json["identifiers"]?.array else { return [try identifier()] }
    let identifiers = list.compactMap(\.string)
    guard identifiers.count == list.count else {
      throw Refusal(.invalidParameters, "identifiers are strings.")
    }
    return identifiers
  }

  func identifier() throws(Refusal) -> String {
    guard let identifier = json["identifier"]?.string else {
      throw Refusal(.invalidParameters, "identifier is missing: the region's, as it was given.")
    }
    guard identifier.utf8.count <= Region.longestIdentifier else {
      throw Refusal(
        .invalidParameters, "A region's identifier has at most \(Region.longestIdentifier) bytes.")
    }
    return identifier
  }

  func count(
    _ name: String, least: Int64 = 0, default standard: Int? = nil
  ) throws(Refusal) -> Int {
    guard let number = try whole(name, least...Int64.max).map({ Int($0) }) ?? standard else {
      throw Refusal(.invalidParameters, "\(name) is missing.")
    }
    return number
  }
}
