/// The answer to `here.status`.
package struct HereStatus: Equatable, Sendable {
  /// Nil where none is set.
  package var place: SetPlace?
  /// The file of an administrator that says it; nil where `here.set` did.
  package var file: String?
  /// Receivers have put the machine somewhere else.
  package var isSetAside = false

  package init(_ place: SetPlace?, file: String? = nil, isSetAside: Bool = false) {
    self.place = place
    self.file = file
    self.isSetAside = isSetAside
  }
}

extension HereStatus {
  var json: JSON {
    guard let place else { return [:] }
    return [
      "latitude": .number(place.coordinate.latitude),
      "longitude": .number(place.coordinate.longitude),
      "horizontalAccuracy": .number(place.horizontalAccuracy),
      "file": file.map(JSON.string), "setAside": .bool(isSetAside),
    ]
  }

  init(_ json: JSON) {
    self.init(
      SetPlace(json), file: json["file"]?.string, isSetAside: json["setAside"]?.bool ?? false)
  }
}

extension SetPlace {
  fileprivate init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let accuracy = json["horizontalAccuracy"]?.double
    else { return nil }
    self.init(
      Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracy: accuracy)
  }

  static let parameters: [Parameter<SetPlace>] = [
    .number("latitude", \.coordinate.latitude) { given in
      { (name) throws(Refusal) in try given.number(name) { (-90...90).contains($0) } }
    },
    .number("longitude", \.coordinate.longitude) { given in
      { (name) throws(Refusal) in try given.number(name) { (-180...180).contains($0) } }
    },
    .number("horizontalAccuracy", \.horizontalAccuracy) { given in
      { (name) throws(Refusal) in try given.number(name) { $0 >= 1 && $0 <= 500_000 } }
    },
  ]

  /// Before it is given.
  static let none = SetPlace(Coordinate(latitude: .nan, longitude: .nan))

  func check() throws(Refusal) {
    guard coordinate.isValid else {
      throw Refusal(.invalidParameters, "latitude and longitude are missing.")
    }
  }
}

/// A place that is known though no source says one, as `status` shows it: without the place.
package struct PlaceStatus: Equatable, Sendable {
  package var source: String
  package var horizontalAccuracy: Double
  /// Seconds since it was measured; nil where it was not.
  package var age: Double?
  package var isSetAside: Bool

  package init(
    source: String, horizontalAccuracy: Double, age: Double? = nil, isSetAside: Bool = false
  ) {
    self.source = source
    self.horizontalAccuracy = horizontalAccuracy
    self.age = age
    self.isSetAside = isSetAside
  }

  package var kind: PlaceKind { PlaceKind(source: source) }
}

extension PlaceStatus {
  var json: JSON {
    [
      "kind": .string(kind.rawValue), "source": .string(source),
      "horizontalAccuracy": .number(horizontalAccuracy.rounded()),
      "age": age.map { .number($0.rounded()) }, "setAside": isSetAside ? .bool(true) : nil,
    ]
  }

  init?(_ json: JSON) {
    guard let source = json["source"]?.string,
      let accuracy = json["horizontalAccuracy"]?.double
    else { return nil }
    self.init(
      source: source, horizontalAccuracy: accuracy, age: json["age"]?.double,
      isSetAside: json["setAside"]?.bool ?? false)
  }
}
