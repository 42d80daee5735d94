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
// Unchecked: it holds constants.
open class MKRoute: NSObject, @unchecked Sendable {
  /// The roads that it takes for the most part.
  public let name: String
  public let advisoryNotices: [String]
  /// Metres.
  public let distance: CLLocationDistance
  /// Seconds.
  public let expectedTravelTime: TimeInterval
  public let transportType: MKDirectionsTransportType
  public let polyline: MKPolyline
  public let steps: [Step]
  public let hasTolls: Bool
  public let hasHighways: Bool

  init(_ route: Route) {
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
    public let instructions: String
    /// Nil: what there is to know is among the advisories of the route.
    public let notice: String? = nil
    public let polyline: MKPolyline
    /// Metres.
    public let distance: CLLocationDistance
    public let transportType: MKDirectionsTransportType

    init(_ step: Route.Step, by transport: Transport) {
      instructions = step.instructions
      polyline = MKPolyline(step.polyline)
      distance = step.distance
      transportType = MKDirectionsTransportType(transport)
    }
  }
}
