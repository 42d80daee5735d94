public import CoreLocation
public import Foundation
public import GeoToolbox
import LocationClient
import LocationModel

/// A question for places that an object asks, one at a time.
final class ItemQuestion: Sendable {
  typealias Handler = ([MKMapItem]?, (any Error)?) -> Void

  private let request = OneRequest<[MKMapItem]>()
  private let client = PlacesClient.current
  private let wasCancelled = Guarded(false)

  var isLoading: Bool { request.isBusy }
  var isCancelled: Bool { wasCancelled.withLock { $0 } }

  func cancel() {
    wasCancelled.withLock { $0 = true }
    request.cancel(MKError(.unknown, "The request was cancelled."))
  }

  /// `found` makes the items of what the service answers.
  func ask(
    _ question: PlaceRequest, _ found: @escaping @Sendable ([Placemark]) -> [MKMapItem],
    _ handler: @escaping Handler
  ) {
    request.ask(
      question, of: client, within: \.geocoding,
      else: { MKError($0, "An object", "requests", "The request has no text and no place.") },
      then: { Self.items($0, found).mapError { $0 } }, OneRequest.result(for: handler))
  }

  private static func items(
    _ answer: PlacesClient.Answer, _ found: ([Placemark]) -> [MKMapItem]
  ) -> Result<[MKMapItem], MKError> {
    switch answer {
    case .failure(let refusal): return .failure(MKError(refusal))
    case .success(let reply):
      let items = found(reply.found)
      return items.isEmpty
        ? .failure(MKError(.placemarkNotFound, "No place of that name is known."))
        : .success(items)
    }
  }
}

/// The places where a location is. Handlers are called on the main queue, exactly once.
// Unchecked, as open classes are: what can be set is the app's to guard.
open class MKReverseGeocodingRequest: NSObject, @unchecked Sendable {
  open internal(set) var location: CLLocation
  /// Nil is the language of the person who runs the app.
  open var preferredLocale: Locale?
  private let question = ItemQuestion()

  /// Nil where the location lies nowhere on the Earth.
  public init?(location: CLLocation) {
    guard CLLocationCoordinate2DIsValid(location.coordinate) else { return nil }
    self.location = location
  }

  open var isLoading: Bool { question.isLoading }
  open var isCancelled: Bool { question.isCancelled }
  open func cancel() { question.cancel() }

  open func getMapItems(completionHandler: @escaping ([MKMapItem]?, (any Error)?) -> Void) {
    let place = location.coordinate
    var reverse = ReverseRequest(Coordinate(latitude: place.latitude, longitude: place.longitude))
    reverse.locale = preferredLocale.tag
    question.ask(.reverseGeocode(reverse), { $0.map { MKMapItem($0) } }, completionHandler)
  }

  open var mapItems: [MKMapItem] {
    get async throws {
      try await awaited {
        getMapItems(completionHandler: $0)
      } onCancel: {
        cancel()
      }
    }
  }
}

/// The places of an address. Handlers are called on the main queue, exactly once.
// Unchecked, as open classes are: what can be set is the app's to guard.
open class MKGeocodingRequest: NSObject, @unchecked Sendable {
  open internal(set) var addressString: String
  /// Places near its center come first.
  open var region: MKCoordinateRegion?
  /// Nil is the language of the person who runs the app.
  open var preferredLocale: Locale?
  private let question = ItemQuestion()

  /// Nil where the address has no text, or more than the service takes.
  public init?(addressString: String) {
    guard addressString.contains(where: { !$0.isWhitespace }),
      addressString.utf8.count <= PlaceRequest.longestText
    else { return nil }
    self.addressString = addressString
  }

  open var isLoading: Bool { question.isLoading }
  open var isCancelled: Bool { question.isCancelled }
  open func cancel() { question.cancel() }

  open func getMapItems(completionHandler: @escaping ([MKMapItem]?, (any Error)?) -> Void) {
    var geocode = GeocodeRequest(addressString)
    geocode.locale = preferredLocale.tag
    geocode.near = region?.circle?.center
    question.ask(.geocode(geocode), { $0.map { MKMapItem($0) } }, completionHandler)
  }

  open var mapItems: [MKMapItem] {
    get async throws {
      try await awaited {
        getMapItems(completionHandler: $0)
      } onCancel: {
        cancel()
      }
    }
  }
}

/// A single place, by its identifier or by what is known of it. Handlers are called on the main queue, exactly once.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class MKMapItemRequest: NSObject, @unchecked Sendable {
  open internal(set) var mapItemIdentifier: MKMapItem.Identifier?
  open internal(set) var placeDescriptor: PlaceDescriptor?
  open internal(set) var mapFeatureAnnotation: MKMapFeatureAnnotation?
  private let question = ItemQuestion()

  public init(mapItemIdentifier identifier: MKMapItem.Identifier) {
    mapItemIdentifier = identifier
  }

  /// Fails with `placemarkNotFound`: no such annotation comes from a map.
  public init(mapFeatureAnnotation: MKMapFeatureAnnotation) {
    self.mapFeatureAnnotation = mapFeatureAnnotation
  }

  public init(placeDescriptor: PlaceDescriptor) {
    self.placeDescriptor = placeDescriptor
  }

  open var isLoading: Bool { question.isLoading }
  open var isCancelled: Bool { question.isCancelled }
  open func cancel() { question.cancel() }

  open func getMapItem(completionHandler: @escaping (MKMapItem?, (any Error)?) -> Void) {
    let name = placeDescriptor?.commonName
    guard let request else {
      return OneRequest<MKMapItem>.refuse(
        OneRequest.result(for: completionHandler),
        MKError(.placemarkNotFound, "The description has no address and no place."))
    }
    question.ask(
      request,
      { places in
        places.prefix(1).map { place in
          let item = MKMapItem(place)
          if let name { item.name = name }
          return item
        }
      }, { items, error in completionHandler(items?.first, error) })
  }

  private var request: PlaceRequest? {
    if let mapItemIdentifier {
      var search = SearchRequest(.id(mapItemIdentifier.rawValue))
      search.locale = Locale?.none.tag
      return .search(search)
    }
    if let place = placeDescriptor?.coordinate, CLLocationCoordinate2DIsValid(place) {
      var reverse = ReverseRequest(
        Coordinate(latitude: place.latitude, longitude: place.longitude))
      reverse.locale = Locale?.none.tag
      return .reverseGeocode(reverse)
    }
    guard let address = placeDescriptor?.address,
      address.contains(where: { !$0.isWhitespace }),
      address.utf8.count <= PlaceRequest.longestText
    else { return nil }
    var geocode = GeocodeRequest(address)
    geocode.locale = Locale?.none.tag
    return .geocode(geocode)
  }

  open var mapItem: MKMapItem {
    get async throws {
      try await awaited {
        getMapItem(completionHandler: $0)
      } onCancel: {
        cancel()
      }
    }
  }
}

extension PlaceDescriptor {
  /// Nil where the place lies nowhere.
  public init?(item: MKMapItem) {
    let place = item.placemark.coordinate
    guard CLLocationCoordinate2DIsValid(place) else { return nil }
    let address = item.address.map { PlaceRepresentation.address($0.fullAddress) }
    self.init(
      representations: [.coordinate(place)] + (address.map { [$0] } ?? []), commonName: item.name)
  }
}
