import LocationModel
import Testing

@testable import PlaceCore

@Suite("Photon's words") struct PhotonTests {
  @Test(
    "a completion is found again by its id, whatever its name begins with",
    arguments: ["Marienplatz", "a:b", "\u{615}Has", "\u{301}", "\u{200D}x", ":"])
  func completion(name: String) throws {
    var place = Placemark(Coordinate(latitude: 50.1, longitude: 8.2))
    place.name = name
    let completion = try #require(Photon.completion(place, typed: "a"))
    let search = try #require(Photon.search(for: SearchRequest(.id(completion.id))))
    #expect(search.query == .text(name))
    #expect(search.near == place.coordinate)
  }
}
