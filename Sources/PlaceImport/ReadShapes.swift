internal import COsmium

extension Spot {
  init(_ place: cosmium_place) {
    self.init(latitude: place.latitude, longitude: place.longitude)
  }
}

extension cosmium_shape {
  var spots: [Spot] {
    UnsafeBufferPointer(start: places, count: place_count).map { Spot($0) }
  }
}

extension Tags {
  /// Bytes that are read; they are copied.
  init(_ tags: UnsafePointer<cosmium_tag>?, _ count: Int) {
    var values: [String: String] = [:]
    for tag in UnsafeBufferPointer(start: tags, count: count) {
      values[String(cString: tag.key)] = String(cString: tag.value)
    }
    self.init(values)
  }
}
