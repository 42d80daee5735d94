import Contacts
import Foundation
import GeoToolbox
import LocationClient
import LocationModel
import MapKit
import TestSupport
import Testing

/// Code of iOS 26: requests for places, addresses in words, descriptions of places.
@MainActor @Suite("The names of iOS 26") struct NewNamesTests {
  private nonisolated static let answer = """
    "result":{"placemarks":[{"name":"Apple Park","thoroughfare":"Apple Park Way","subThoroughfare":"1",\
    "locality":"Cupertino","administrativeArea":"CA","postalCode":"95014","country":"United States",\
    "isoCountryCode":"US","latitude":37.33,"longitude":-122.01,"id":"w1",\
    "formattedAddress":"1 Apple Park Way, Cupertino, CA 95014, United States"}]}
    """

  private func asking<Value: Sendable>(
    _ body: @MainActor () async throws -> Value
  ) async throws -> (Value, String) {
    let server = try #require(AnsweringSocket { _ in Self.answer })
    let value = try await PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
      try await body()
    }
    return (value, server.lines.joined())
  }

  @Test("a location has map items with addresses")
  func reverse() async throws {
    let (items, line) = try await asking {
      let request = try #require(
        MKReverseGeocodingRequest(location: CLLocation(latitude: 37.33, longitude: -122.01)))
      request.preferredLocale = Locale(identifier: "fr_CH")
      return try await request.mapItems
    }
    #expect(line.contains("reverseGeocode") && line.contains("fr-CH"))
    let item = try #require(items.first)
    #expect(item.address?.fullAddress == "1 Apple Park Way, Cupertino, CA 95014, United States")
    #expect(item.address?.shortAddress == "1 Apple Park Way, Cupertino")
    let words = try #require(item.addressRepresentations)
    #expect(words.cityName == "Cupertino" && words.regionName == "United States")
    #expect(words.cityWithContext(.short) == "Cupertino, CA")
    let automatic = words.cityWithContext(MKAddressRepresentations.ContextStyle.automatic)
    #expect(["Cupertino, CA", "Cupertino, United States"].contains(automatic))
    #expect(words.cityWithContext(.full) == "Cupertino, CA, United States")
    #expect(
      words.fullAddress(includingRegion: false, singleLine: true)
        == "1 Apple Park Way, Cupertino, CA 95014")
    #expect(
      words.fullAddress(includingRegion: true, singleLine: false)?.split(separator: "\n").count == 4
    )
    #expect(item.location.coordinate.latitude == 37.33)
    let lost = CLLocation(latitude: 100, longitude: 0)
    #expect(MKReverseGeocodingRequest(location: lost) == nil)
  }

  @Test("an address has map items, and what has no text is no request")
  func geocode() async throws {
    let (items, line) = try await asking {
      let request = try #require(MKGeocodingRequest(addressString: "1 Apple Park Way"))
      return try await withCheckedThrowingContinuation { continuation in
        request.getMapItems { items, error in
          continuation.resume(with: error.map { .failure($0) } ?? .success(items ?? []))
        }
      }
    }
    #expect(line.contains("1 Apple Park Way") && items.map(\.name) == ["Apple Park"])
    #expect(MKGeocodingRequest(addressString: " ") == nil)
  }

  @Test("a description of a place is looked up, and made of what was found")
  func descriptor() async throws {
    let coordinate = CLLocationCoordinate2D(latitude: 53.3476, longitude: -6.2901)
    let fountain = PlaceDescriptor(
      representations: [.coordinate(coordinate)], commonName: "Anna Livia Fountain",
      supportingRepresentations: [.serviceIdentifiers(["org.osm": "w1"])])
    #expect(fountain.serviceIdentifier(for: "org.osm") == "w1" && fountain.address == nil)
    let (item, _) = try await asking {
      try await MKMapItemRequest(placeDescriptor: fountain).mapItem
    }
    #expect(item.name == "Anna Livia Fountain")
    let again = try #require(PlaceDescriptor(item: item))
    #expect(again.commonName == item.name && again.address == item.address?.fullAddress)
    #expect(again != fountain && Set([again, again]).count == 1)
    let nowhere = PlaceDescriptor(representations: [], commonName: "nothing")
    await #expect(throws: MKError.self) {
      try await MKMapItemRequest(placeDescriptor: nowhere).mapItem
    }
  }

  @Test("an identifier is asked for, and its place is one item")
  func identifier() async throws {
    let places =
      #""result":{"places":[{"name":"Apple Park","latitude":37.33,"longitude":-122.01}]}"#
    let server = try #require(AnsweringSocket { _ in places })
    let identifier = try #require(MKMapItem.Identifier(rawValue: "w42"))
    let client = PlacesClient(path: server.path, patience: 180)
    let request = PlacesClient.$current.withValue(client) {
      MKMapItemRequest(mapItemIdentifier: identifier)
    }
    #expect(request.mapItemIdentifier == identifier && request.placeDescriptor == nil)
    var names: [String?] = []
    request.getMapItem { item, _ in names.append(item?.name) }
    #expect(await until { !names.isEmpty })
    #expect(names == ["Apple Park"] && server.lines.joined().contains("w42"))
  }

  @Test("a cancelled request says so, and fails")
  func cancelled() async throws {
    let server = try #require(AnsweringSocket { _ in nil })
    let request = PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
      MKGeocodingRequest(addressString: "Seoul")
    }
    let asked = try #require(request)
    let failure: (any Error)? = await withCheckedContinuation { continuation in
      asked.getMapItems { _, error in continuation.resume(returning: error) }
      #expect(asked.isLoading)
      asked.cancel()
    }
    #expect(failure is MKError && asked.isCancelled && !asked.isLoading)
  }

  @Test("an item without a name says so, and the current place is called that")
  func names() throws {
    let place = MKMapItem(
      placemark: MKPlacemark(coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2)))
    let here = MKMapItem.forCurrentLocation()
    #expect(place.name?.isEmpty == false && here.name?.isEmpty == false && place.name != here.name)
    #expect(MKUserLocation().title == here.name)
    let address = MKAddress(fullAddress: "1 Main Street, Town", shortAddress: "1 Main Street")
    let item = MKMapItem(location: CLLocation(latitude: 1, longitude: 2), address: address)
    #expect(item.name == "1 Main Street" && item.placemark.coordinate.longitude == 2)
    #expect(MKAddress(fullAddress: "", shortAddress: nil) == nil)
  }
}

@Suite("Postal addresses") struct PostalAddressTests {
  private func address(_ fill: (CNMutablePostalAddress) -> Void) -> CNPostalAddress {
    let address = CNMutablePostalAddress()
    fill(address)
    return address
  }

  @Test(
    "an address is written in the order of its country",
    arguments: [
      ("US", "1 Main St\nTown State 12345\nLand"), ("DE", "1 Main St\n12345 Town\nLand"),
      ("GB", "1 Main St\nTown\nState\n12345\nLand"), ("KR", "Land\n12345 State Town\n1 Main St"),
    ])
  func order(code: String, lines: String) {
    let address = address {
      ($0.street, $0.city, $0.state) = ("1 Main St", "Town", "State")
      ($0.postalCode, $0.country, $0.isoCountryCode) = ("12345", "Land", code)
    }
    #expect(CNPostalAddressFormatter.string(from: address, style: .mailingAddress) == lines)
    #expect(CNPostalAddressFormatter().string(for: address) == lines)
  }

  @Test("a copy is equal, and changes alone")
  func copies() throws {
    let address = address { $0.city = "Seoul" }
    let copy = try #require(address.mutableCopy() as? CNMutablePostalAddress)
    #expect(copy == address && copy.hash == address.hash)
    copy.city = "Busan"
    #expect(address.city == "Seoul" && copy != address)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: address, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CNPostalAddress.self, from: data) == address)
  }

  @Test("a placemark has its postal address, and a title of one")
  func placemarks() {
    let place = CLLocationCoordinate2D(latitude: 22.28, longitude: 114.15)
    let pin = MKPlacemark(
      coordinate: place,
      addressDictionary: [
        CNPostalAddressStreetKey: "1 Main St", CNPostalAddressCityKey: "Town", "ZIP": "12345",
      ])
    #expect(pin.title == "1 Main St, Town 12345")
    #expect(pin.postalAddress?.street == "1 Main St" && pin.postalAddress?.postalCode == "12345")
    let other = MKPlacemark(coordinate: place, postalAddress: address { $0.city = "Town" })
    #expect(other.locality == "Town" && other.title == "Town")
    let named = CLPlacemark(
      location: CLLocation(latitude: 1, longitude: 2), name: "Home",
      postalAddress: address { $0.isoCountryCode = "FR" })
    #expect(named.name == "Home" && named.isoCountryCode == "FR" && named.location != nil)
    #expect(MKPlacemark(coordinate: place).postalAddress == nil)
  }

  @Test("a geocoder asks for a postal address")
  func geocodes() async throws {
    let server = try #require(
      AnsweringSocket { _ in #""result":{"placemarks":[{"latitude":1,"longitude":2}]}"# })
    let geocoder = PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
      CLGeocoder()
    }
    let found = try await geocoder.geocodePostalAddress(
      address { ($0.street, $0.city, $0.isoCountryCode) = ("Rue 1", "Paris", "FR") })
    #expect(found.count == 1)
    #expect(server.lines.joined().contains("Rue 1, Paris") && server.lines.joined().contains("FR"))
  }
}
