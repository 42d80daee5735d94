import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

@MainActor @Suite("Places and their names") struct PlacemarkTests {
  @Test("a placemark has all that the service said, and nil for the rest")
  func placemark() throws {
    var place = Placemark(Coordinate(latitude: 37.5636, longitude: 126.9836))
    place.country = "대한민국"
    place.locality = "서울특별시"
    place.timeZone = "Asia/Seoul"
    place.radius = 300
    let placemark = CLPlacemark(place)
    #expect(placemark.country == "대한민국" && placemark.locality == "서울특별시")
    #expect(placemark.name == nil && placemark.areasOfInterest == nil)
    #expect(placemark.timeZone?.identifier == "Asia/Seoul")
    let region = try #require(placemark.region as? CLCircularRegion)
    #expect(region.radius == 300 && region.center.latitude == 37.5636)
    #expect(placemark.location?.horizontalAccuracy == 300)
    place.radius = nil
    #expect(CLPlacemark(place).region == nil)
  }

  @available(*, deprecated)
  @Test(
    "an address by its keys has the street as the country writes it, and nothing that is not known")
  func dictionary() {
    var place = Placemark(Coordinate(latitude: 48.1, longitude: 11.6))
    place.locality = "München"
    #expect(CLPlacemark(place).addressDictionary?["Street"] == nil)
    (place.thoroughfare, place.subThoroughfare) = ("Hauptstraße", "5")
    (place.isoCountryCode, place.country, place.postalCode) = ("DE", "Deutschland", "80331")
    let dictionary = CLPlacemark(place).addressDictionary
    #expect(dictionary?["Street"] as? String == "Hauptstraße 5")
    let lines = dictionary?["FormattedAddressLines"] as? [String]
    #expect(lines == ["Hauptstraße 5", "80331 München", "Deutschland"])
  }

  @Test("a geocoder does one request at a time, and a cancelled one ends once")
  func oneAtATime() async throws {
    let silent = try #require(AnsweringSocket { _ in nil })
    let geocoder = PlacesClient.$current.withValue(PlacesClient(path: silent.path)) {
      CLGeocoder()
    }
    var codes: [CLError.Code?] = []
    geocoder.geocodeAddressString("Oslo") { codes.append(($1 as? CLError)?.code) }
    #expect(geocoder.isGeocoding)
    geocoder.geocodeAddressString("Rome") { codes.append(($1 as? CLError)?.code) }
    geocoder.cancelGeocode()
    #expect(!geocoder.isGeocoding && codes.isEmpty)
    #expect(await until { codes.count == 2 })
    #expect(codes == [.network, .geocodeCanceled])
  }

  @Test("a place that is nowhere, and an empty address, have no result")
  func nowhere() async throws {
    let geocoder = CLGeocoder()
    await #expect(throws: CLError.self) {
      try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 100, longitude: 200))
    }
    await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString(" ") }
  }

  @Test(
    "a question that the service does not understand is not one without a result",
    arguments: [(-32602, CLError.Code.network), (8, .geocodeFoundNoResult), (2, .network)])
  func refused(number: Int, code: CLError.Code) async throws {
    let service = try #require(
      AnsweringSocket { _ in "\"error\":{\"code\":\(number),\"message\":\"No.\"}" })
    let geocoder = PlacesClient.$current.withValue(PlacesClient(path: service.path)) {
      CLGeocoder()
    }
    let error = await #expect(throws: CLError.self) {
      try await geocoder.geocodeAddressString("Oslo")
    }
    #expect(error?.code == code && service.lines.count == 1)
  }

  @Test("the language is the locale's, else the person's")
  func language() {
    #expect(Locale?.some(Locale(identifier: "ko-kr")).tag?.lowercased() == "ko-kr")
    #expect(Locale?.none.tag == UserLocale.tag)
  }
}
