internal import LocationModel
internal import PlaceCore

/// Answers to the parts of one question: the parts of an address are asked for again and again.
struct Known {
  struct Name: Hashable {
    var text: String
    var near: Coordinate?
    var country: String?
    var isPrefix: Bool
    var forgives: Bool
    var limit: Int
  }

  struct Spot: Hashable {
    var place: Coordinate
    var language: String?
  }

  var hits: [Name: [WorldHit]] = [:]
  var surroundings: [Coordinate: Surroundings] = [:]
  var placemarks: [Spot: Placemark] = [:]
}
