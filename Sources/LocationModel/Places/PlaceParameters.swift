// The parameters of questions about places, as a line has them.
extension Parameters {
  func question(_ name: String) throws(Refusal) -> String? {
    guard let value = json[name]?.string else {
      throw Refusal(.invalidParameters, "\(name) is missing.")
    }
    guard value.utf8.count <= PlaceRequest.longestText else {
      throw Refusal(
        .invalidParameters, "\(name) must have at most \(PlaceRequest.longestText) bytes.")
    }
    return value
  }

  func locale(_ name: String) throws(Refusal) -> String? {
    guard let locale = try text(name) else { return nil }
    guard locale.utf8.count <= 64 else {
      throw Refusal(.invalidParameters, "\(name) must be a language tag such as ko-KR.")
    }
    return locale
  }

  func country(_ name: String) throws(Refusal) -> String? {
    try text(name)?.uppercased()
  }

  func limit(_ name: String) throws(Refusal) -> Int? {
    try whole(name, 1...Int64(PlaceRequest.mostResults)).map { Int($0) }
  }

  func distance(_ name: String) throws(Refusal) -> Double? {
    guard let value = json[name] else { return nil }
    guard let number = value.double, number > 0, number.isFinite else {
      throw Refusal(.invalidParameters, "\(name) must be a number of metres.")
    }
    return number
  }

  func transport(_ name: String) throws(Refusal) -> Transport? {
    guard let text = try text(name) else { return nil }
    guard let transport = Transport(rawValue: text) else {
      throw Refusal(.invalidParameters, "\(name) is automobile, walking or cycling.")
    }
    return transport
  }

  func avoidances(_ name: String) throws(Refusal) -> Set<Avoidance>? {
    guard let value = json[name] else { return nil }
    guard let words = value.array?.map({ $0.string.flatMap(Avoidance.init) }),
      !words.contains(nil)
    else {
      throw Refusal(.invalidParameters, "\(name) is a list of \(Avoidance.words).")
    }
    return Set(words.compactMap(\.self))
  }

  func side(_ name: String) throws(Refusal) -> Double? {
    guard let degrees = json[name]?.double, abs(degrees) <= 180 else {
      throw Refusal(.invalidParameters, "\(name) must be a number of degrees.")
    }
    return degrees
  }

  func level(_ name: String) throws(Refusal) -> Int? {
    try number(of: name, below: Int64(TileRequest.highestLevel) + 1)
  }

  func column(_ name: String) throws(Refusal) -> Int? {
    try number(of: name, below: 1 << TileRequest.highestLevel)
  }

  private func number(of name: String, below end: Int64) throws(Refusal) -> Int {
    guard let number = try whole(name, 0...end - 1) else {
      throw Refusal(.invalidParameters, "\(name) is missing.")
    }
    return Int(number)
  }

  func degrees(_ name: String) throws(Refusal) -> Double? {
    guard let degrees = json[name]?.double else {
      throw Refusal(.invalidParameters, "latitude and longitude must be numbers.")
    }
    return degrees
  }

  func place(_ name: String) throws(Refusal) -> Coordinate? {
    guard let value = json[name] else { return nil }
    return try place(value, name)
  }

  /// An end of a way, which is not left out.
  func end(_ name: String) throws(Refusal) -> Coordinate? {
    guard let value = json[name] else {
      throw Refusal(.invalidParameters, "from and to must be [latitude, longitude].")
    }
    return try place(value, name)
  }

  func stops(_ name: String) throws(Refusal) -> [Coordinate]? {
    guard let list = json[name]?.array else { return nil }
    guard list.count <= DirectionsRequest.mostVia else {
      throw Refusal(
        .invalidParameters, "\(name) has at most \(DirectionsRequest.mostVia) places.")
    }
    var stops: [Coordinate] = []
    for stop in list { stops.append(try place(stop, "a place of \(name)")) }
    return stops
  }

  private func place(_ value: JSON, _ name: String) throws(Refusal) -> Coordinate {
    guard let place = Coordinate(pair: value) else {
      throw Refusal(.invalidParameters, "\(name) must be [latitude, longitude].")
    }
    return place
  }
}
