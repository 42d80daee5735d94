public import CoreLocation
public import Foundation
import LocationModel

public struct MKDirectionsTransportType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let automobile = MKDirectionsTransportType(rawValue: 1)
  public static let walking = MKDirectionsTransportType(rawValue: 2)
  public static let transit = MKDirectionsTransportType(rawValue: 4)
  public static let cycling = MKDirectionsTransportType(rawValue: 8)
  public static let any = MKDirectionsTransportType(rawValue: 0x0FFF_FFFF)

  init(_ transport: Transport) {
    self =
      switch transport {
      case .automobile: .automobile
      case .walking: .walking
      case .cycling: .cycling
      }
  }

  /// The first of them that there are ways for.
  var transport: Transport? {
    if contains(.automobile) { return .automobile }
    if contains(.walking) { return .walking }
    return contains(.cycling) ? .cycling : nil
  }
}

/// One way from a place to another.
// Unchecked: nothing of it changes once it is made.
open class MKRoute: NSObject, @unchecked Sendable {
  /// The roads that it takes for the most part.
  open internal(set) var name = ""
  open internal(set) var advisoryNotices: [String] = []
  /// Metres.
  open internal(set) var distance: CLLocationDistance = 0
  /// Seconds.
  open internal(set) var expectedTravelTime: TimeInterval = 0
  open internal(set) var transportType = MKDirectionsTransportType.automobile
  open internal(set) var polyline = MKPolyline()
  open internal(set) var steps: [Step] = []
  open internal(set) var hasTolls = false
  open internal(set) var hasHighways = false

  /// For subclasses that say a way themselves.
  public override init() {}

  convenience init(_ route: Route) {
    self.init()
    name = route.name
    advisoryNotices = route.advisories
    distance = route.distance
    expectedTravelTime = route.expectedTravelTime
    transportType = MKDirectionsTransportType(route.transport)
    polyline = MKPolyline(route.polyline)
    steps = route.steps.map { Step($0, by: route.transport) }
    (hasTolls, hasHighways) = (route.hasTolls, route.hasMotorways)
  }

  /// One thing to do on the way, and the road to the next.
  // Unchecked, as the route.
  open class Step: NSObject, @unchecked Sendable {
    open internal(set) var instructions = ""
    /// Nil: what there is to know is among the advisories of the route.
    open internal(set) var notice: String?
    open internal(set) var polyline = MKPolyline()
    /// Metres.
    open internal(set) var distance: CLLocationDistance = 0
    open internal(set) var transportType = MKDirectionsTransportType.automobile

    public override init() {}

    convenience init(_ step: Route.Step, by transport: Transport) {
      self.init()
      instructions = step.instructions
      polyline = MKPolyline(step.polyline)
      distance = step.distance
      transportType = MKDirectionsTransportType(transport)
    }
  }
}
