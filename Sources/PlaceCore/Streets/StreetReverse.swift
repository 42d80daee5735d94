internal import Geodesy
package import LocationModel

/// What an extract knows of a place: street, number and names.
package enum StreetReverse {
  /// Metres to a house that says its number, and to a street that says its name: nothing farther is looked at.
  private static let farthestAddress = 50.0
  package static let farthestStreet = 100.0
  /// Metres within which somebody is at a named place, not near it.
  private static let atTheSpot = 30.0

  /// Nil where nothing is near. The rest is left to the world's answer.
  package static func placemark(
    of rows: [ThingRow], at place: Coordinate, locale: String?, source: String
  ) -> Placemark? {
    let plane = LocalPlane(around: place)
    var best: [ThingKind: (metres: Double, thing: ThingRow)] = [:]
    for thing in rows {
      let metres =
        thing.shape.map(plane.distance(toShape:)) ?? plane.distance(to: thing.coordinate)
      if metres < best[thing.kind]?.metres ?? .infinity { best[thing.kind] = (metres, thing) }
    }
    var answer = Placemark(place)
    // A house that has no street has not the number of its neighbour.
    if let (metres, thing) = best[.address], metres <= farthestAddress, thing.street != nil {
      answer = thing.placemark(locale, source: source)
      answer.nameStreet(by: rows, locale)
      answer.radius = metres
    } else if let (metres, thing) = best[.street], metres <= farthestStreet {
      answer = thing.placemark(locale, source: source)
      answer.coordinate = place
      answer.radius = metres
    }
    let named = [best[.named], best[.address]].compactMap(\.self).filter {
      $0.metres <= atTheSpot && $0.thing.name(locale) != nil
    }
    if let thing = named.min(by: { $0.metres < $1.metres })?.thing, let name = thing.name(locale) {
      answer.areasOfInterest = [name]
      answer.name = name
    }
    return answer.name == nil ? nil : answer
  }
}

extension Placemark {
  /// The street in the reader's language: a house has its own, the street may have others. `streets`: among them its own.
  package mutating func nameStreet(by streets: [ThingRow], _ locale: String?) {
    guard let street = thoroughfare else { return }
    let named = streets.lazy.filter { $0.kind == .street && $0.name == street }
    guard let name = named.compactMap({ $0.name(locale) }).first(where: { $0 != street }) else {
      return
    }
    if self.name == street { self.name = name }
    if let number = subThoroughfare, self.name == "\(number) \(street)" {
      self.name = "\(number) \(name)"
    }
    thoroughfare = name
  }

  /// How much an extract knows of a place: the answer that knows most counts.
  package var detail: Int { subThoroughfare != nil ? 3 : thoroughfare != nil ? 2 : 1 }
}
