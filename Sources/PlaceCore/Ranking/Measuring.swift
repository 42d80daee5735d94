package import LocationModel

extension Placemark {
  private static let regions: Set = ["country", "province"]
  private static let towns: Set = ["city", "town", "village"]
  private static let areas: Set = [
    "district", "lake", "sea", "island", "airport", "desert", "park", "mountains", "river", "area",
  ]
  /// Metres around a place where nothing says them.
  private static let metres: [Precision: Double] = [
    .house: 20, .street: 250, .area: 2000, .town: 5000, .postcode: 5000, .region: 50_000,
    .point: 50,
  ]
  private static let ofSea = 100_000.0

  /// With what its coordinate stands for, and a radius, where they are not said.
  package var measured: Placemark {
    var mark = self
    mark.precision = precision ?? kindOfPrecision
    if mark.radius == nil {
      mark.radius = ocean != nil ? Self.ofSea : mark.precision.flatMap { Self.metres[$0] }
    }
    return mark
  }

  private var kindOfPrecision: Precision {
    if let category {
      if category == "postcode" { return .postcode }
      if Self.regions.contains(category) { return .region }
      if Self.towns.contains(category) { return .town }
      return Self.areas.contains(category) ? .area : .point
    }
    if subThoroughfare != nil { return .house }
    if thoroughfare != nil { return name == thoroughfare ? .street : .point }
    if ocean != nil || inlandWater != nil { return .area }
    guard let name, name != locality else { return locality == nil ? .region : .town }
    if name == subLocality { return .area }
    return name == administrativeArea || name == country ? .region : .point
  }
}
