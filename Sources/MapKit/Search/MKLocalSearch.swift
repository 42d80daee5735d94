public import CoreLocation
public import Foundation
import Geodesy
import LocationClient
import LocationModel

public typealias MKLocalSearchCompletionHandler = (MKLocalSearch.Response?, (any Error)?) -> Void

/// One search for places. Handlers are called on the main queue, exactly once.
// Unchecked, as open classes are: it holds constants.
open class MKLocalSearch: NSObject, @unchecked Sendable {
  private let search: Search
  private let request = OneRequest<Response>()
  private let client = PlacesClient.current

  public typealias CompletionHandler = MKLocalSearchCompletionHandler

  public init(request: Request) {
    search = request.search
  }

  public init(request: MKLocalPointsOfInterestRequest) {
    search = request.search
  }

  open var isSearching: Bool { request.isBusy }

  open func start(completionHandler: @escaping MKLocalSearchCompletionHandler) {
    request.ask(
      all: search.questions.map { .search($0) }, of: client, within: \.searches,
      else: { MKError($0, "A search", "searches", "The search has no text and no place.") },
      then: { [search] in search.response($0).mapError { $0 } },
      OneRequest.result(for: completionHandler))
  }

  nonisolated(nonsending) open func start() async throws -> Response {
    try await awaited {
      start(completionHandler: $0)
    } onCancel: {
      cancel()
    }
  }

  /// The handler of the search under way is told so.
  open func cancel() {
    request.cancel(MKError(.unknown, "The search was cancelled."))
  }
}

extension MKLocalSearch {
  public struct ResultType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let address = ResultType(rawValue: 1)
    public static let pointOfInterest = ResultType(rawValue: 2)
    /// A mountain or a lake, which the service tells apart from an address as little as a street.
    public static let physicalFeature = ResultType(rawValue: 4)
  }

  open class Request: NSObject, NSCopying {
    open var naturalLanguageQuery: String?
    open var resultTypes: ResultType = [.address, .pointOfInterest]
    open var pointOfInterestFilter: MKPointOfInterestFilter?
    /// With `required` no place outside the region is given.
    open var regionPriority = MKLocalSearchRegionPriority.default
    /// Without an effect: the service has no words for it.
    open var addressFilter: MKAddressFilter?
    private var hint: MKCoordinateRegion?
    private var id: String?

    /// Places near its center come first. The whole world until it is set.
    open var region: MKCoordinateRegion {
      get { hint ?? MKCoordinateRegion(.world) }
      set { hint = newValue }
    }

    public override init() {}

    public init(completion: MKLocalSearchCompletion) {
      id = completion.id.isEmpty ? nil : completion.id
      naturalLanguageQuery =
        completion.subtitle.isEmpty
        ? completion.title : "\(completion.title), \(completion.subtitle)"
    }

    public init(naturalLanguageQuery: String) {
      self.naturalLanguageQuery = naturalLanguageQuery
    }

    public init(naturalLanguageQuery: String, region: MKCoordinateRegion) {
      self.naturalLanguageQuery = naturalLanguageQuery
      hint = region
    }

    open func copy(with zone: NSZone? = nil) -> Any {
      let copy = Request()
      copy.naturalLanguageQuery = naturalLanguageQuery
      copy.resultTypes = resultTypes
      copy.pointOfInterestFilter = pointOfInterestFilter
      (copy.hint, copy.id) = (hint, id)
      (copy.regionPriority, copy.addressFilter) = (regionPriority, addressFilter)
      return copy
    }

    fileprivate var search: Search {
      let text = naturalLanguageQuery ?? ""
      let isText = text.contains { !$0.isWhitespace } && text.utf8.count <= PlaceRequest.longestText
      var question =
        id.map { SearchRequest(.id($0)) } ?? (isText ? SearchRequest(.text(text)) : nil)
      question?.near = hint?.circle?.center
      let most = question?.limit ?? 0
      // Banks may stand before the cafés that the filter lets through.
      question?.limit = PlaceRequest.mostResults
      let onlyPoints = resultTypes == .pointOfInterest
      question?.category =
        onlyPoints && id == nil ? pointOfInterestFilter?.onlyCategory?.kinds.first : nil
      return Search(
        question.map { [$0] } ?? [], resultTypes, pointOfInterestFilter,
        within: regionPriority == .required ? hint : nil, most: most)
    }
  }

  /// The places found, the best one first.
  // Unchecked: nothing of it changes once it is made.
  open class Response: NSObject, @unchecked Sendable {
    open internal(set) var mapItems: [MKMapItem] = []
    open internal(set) var boundingRegion = MKCoordinateRegion()

    /// For subclasses that say the places themselves.
    public override init() {}

    convenience init(_ places: [Placemark]) {
      self.init()
      mapItems = places.map { MKMapItem($0) }
      boundingRegion = MKCoordinateRegion(around: places.map(\.coordinate))
    }
  }
}

/// A search for all points of interest around a place.
open class MKLocalPointsOfInterestRequest: NSObject, NSCopying {
  open internal(set) var coordinate: CLLocationCoordinate2D
  open internal(set) var radius: CLLocationDistance
  open internal(set) var region: MKCoordinateRegion
  open var pointOfInterestFilter: MKPointOfInterestFilter?

  public init(center coordinate: CLLocationCoordinate2D, radius: CLLocationDistance) {
    self.coordinate = coordinate
    self.radius = radius
    region = MKCoordinateRegion(
      center: coordinate, latitudinalMeters: radius * 2, longitudinalMeters: radius * 2)
  }

  public init(coordinateRegion region: MKCoordinateRegion) {
    self.region = region
    coordinate = region.center
    radius = region.circle?.radius ?? 0
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MKLocalPointsOfInterestRequest(coordinateRegion: region)
    (copy.coordinate, copy.radius) = (coordinate, radius)
    copy.pointOfInterestFilter = pointOfInterestFilter
    return copy
  }

  fileprivate var search: Search {
    let place = Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude)
    guard place.isValid, radius > 0, radius.isFinite else { return Search([], .pointOfInterest) }
    var around = SearchRequest(.text(""))
    around.near = place
    around.radius = radius
    // The nearest of all kinds together may be none of those that are wanted.
    let kinds = pointOfInterestFilter?.wantedKinds ?? []
    if kinds.isEmpty { around.limit = PlaceRequest.mostResults }
    let questions =
      kinds.isEmpty
      ? [around]
      : kinds.map { kind in
        var question = around
        question.category = kind
        return question
      }
    return Search(questions, .pointOfInterest, pointOfInterestFilter)
  }
}

/// A search as the service is asked, and what of its answers is wanted.
private struct Search: Sendable {
  let questions: [SearchRequest]
  private let types: MKLocalSearch.ResultType
  private let filter: MKPointOfInterestFilter?
  private let region: MKCoordinateRegion?
  private let most: Int

  init(
    _ questions: [SearchRequest], _ types: MKLocalSearch.ResultType,
    _ filter: MKPointOfInterestFilter? = nil, within region: MKCoordinateRegion? = nil,
    most: Int = .max
  ) {
    self.questions = questions.map { question in
      var question = question
      question.locale = Locale?.none.tag
      return question
    }
    (self.types, self.filter, self.region, self.most) = (types, filter, region, most)
  }

  /// Fails where no question has found anything.
  func response(_ answers: [PlacesClient.Answer]) -> Result<MKLocalSearch.Response, MKError> {
    let found = answers.compactMap { try? $0.get().found }
    if found.isEmpty, case .failure(let refusal)? = answers.first {
      return .failure(MKError(refusal))
    }
    var places = found.joined().filter {
      types.forCompletions.includes($0.category, filter)
        && region?.contains($0.coordinate) != false
    }
    if found.count > 1, let middle = questions.first?.near {
      places.sort { $0.coordinate.distance(to: middle) < $1.coordinate.distance(to: middle) }
    }
    return places.isEmpty
      ? .failure(MKError(.placemarkNotFound, "No place of that name is known."))
      : .success(MKLocalSearch.Response(Array(places.prefix(most))))
  }
}

extension MKLocalSearch.ResultType {
  fileprivate var forCompletions: MKLocalSearchCompleter.ResultType {
    var types: MKLocalSearchCompleter.ResultType = []
    if contains(.address) { types.insert(.address) }
    if contains(.pointOfInterest) { types.insert(.pointOfInterest) }
    if contains(.physicalFeature) { types.insert(.physicalFeature) }
    return types
  }
}

extension MKCoordinateRegion {
  fileprivate func contains(_ place: Coordinate) -> Bool {
    let away = (place.longitude - center.longitude).remainder(dividingBy: 360)
    return (place.latitude - center.latitude).magnitude <= span.latitudeDelta / 2
      && away.magnitude <= span.longitudeDelta / 2
  }
}
