public import CoreLocation
public import Foundation
import LocationModel

extension MKDirections {
  /// How much a traveller wants a kind of road.
  public enum RoutePreference: Int, Sendable {
    case any
    /// Only where nothing else leads there.
    case avoid
  }

  open class Request: NSObject, NSCopying {
    open var source: MKMapItem?
    open var destination: MKMapItem?
    /// By car, where several would do.
    open var transportType: MKDirectionsTransportType = .any
    open var requestsAlternateRoutes = false
    /// It dates an arrival; the ways are the same at any time.
    open var departureDate: Date?
    open var arrivalDate: Date?
    open var tollPreference: RoutePreference = .any
    open var highwayPreference: RoutePreference = .any

    public override init() {}

    /// Without places: no program of Linux hands an app a request.
    public init(contentsOf url: URL) {}

    open class func isDirectionsRequest(_ url: URL) -> Bool { false }

    open func copy(with zone: NSZone? = nil) -> Any {
      let copy = Request()
      (copy.source, copy.destination) = (source, destination)
      copy.transportType = transportType
      copy.requestsAlternateRoutes = requestsAlternateRoutes
      (copy.departureDate, copy.arrivalDate) = (departureDate, arrivalDate)
      (copy.tollPreference, copy.highwayPreference) = (tollPreference, highwayPreference)
      return copy
    }
  }

  /// The ways found, the best one first.
  // Unchecked: nothing of it changes once it is made.
  open class Response: NSObject, @unchecked Sendable {
    open internal(set) var source = MKMapItem()
    open internal(set) var destination = MKMapItem()
    open internal(set) var routes: [MKRoute] = []

    /// For subclasses that say the ways themselves.
    public override init() {}

    convenience init(_ found: Found) {
      self.init()
      (source, destination) = (found.source, found.destination)
      routes = found.routes.map { MKRoute($0) }
    }
  }

  /// How long the best way takes.
  // Unchecked: nothing of it changes once it is made.
  open class ETAResponse: NSObject, @unchecked Sendable {
    open internal(set) var source = MKMapItem()
    open internal(set) var destination = MKMapItem()
    /// Seconds.
    open internal(set) var expectedTravelTime: TimeInterval = 0
    /// Metres.
    open internal(set) var distance: CLLocationDistance = 0
    open internal(set) var expectedDepartureDate = Date()
    open internal(set) var expectedArrivalDate = Date()
    open internal(set) var transportType = MKDirectionsTransportType.automobile

    public override init() {}

    convenience init(_ found: Found, _ best: Route) {
      self.init()
      (source, destination) = (found.source, found.destination)
      expectedTravelTime = best.expectedTravelTime
      distance = best.distance
      transportType = MKDirectionsTransportType(best.transport)
      expectedDepartureDate =
        found.departure ?? found.arrival.map { $0 - best.expectedTravelTime } ?? Date()
      expectedArrivalDate = expectedDepartureDate + best.expectedTravelTime
    }
  }

  /// The request as it was when the object was made.
  struct Question: Sendable {
    var source: MKMapItem
    var destination: MKMapItem
    var transport: Transport
    var alternates: Bool
    var avoid: Set<Avoidance> = []
    var departure: Date?
    var arrival: Date?

    init(_ request: Request) throws(MKError) {
      guard let source = request.source, let destination = request.destination else {
        throw MKError(.placemarkNotFound, "Directions want a source and a destination.")
      }
      guard let transport = request.transportType.transport else {
        throw MKError(
          .directionsNotFound, "There are ways by car, on foot and by bicycle, and no timetables.")
      }
      (self.source, self.destination) = (source, destination)
      self.transport = transport
      alternates = request.requestsAlternateRoutes
      if request.tollPreference == .avoid { avoid.insert(.tolls) }
      if request.highwayPreference == .avoid { avoid.insert(.motorways) }
      (departure, arrival) = (request.departureDate, request.arrivalDate)
    }

    var isAboutHere: Bool { source.isCurrentLocation || destination.isCurrentLocation }

    /// `here`: where the device is.
    func request(here: Coordinate?, alternates: Bool) throws(MKError) -> DirectionsRequest {
      func place(_ item: MKMapItem, _ name: String) throws(MKError) -> Coordinate {
        let place = item.placemark.coordinate
        let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
        if item.isCurrentLocation, let here { return here }
        guard coordinate.isValid else {
          throw MKError(.placemarkNotFound, "The \(name) lies nowhere on the Earth.")
        }
        return coordinate
      }
      var request = DirectionsRequest(
        from: try place(source, "source"), to: try place(destination, "destination"))
      request.transport = transport
      (request.alternates, request.avoid) = (alternates, avoid)
      request.locale = Locale?.none.tag
      return request
    }
  }

  struct Found: Sendable {
    var source: MKMapItem
    var destination: MKMapItem
    var departure: Date?
    var arrival: Date?
    var routes: [Route]

    init(_ question: Question, _ routes: [Route]) {
      (source, destination) = (question.source, question.destination)
      (departure, arrival) = (question.departure, question.arrival)
      self.routes = routes
    }
  }
}
