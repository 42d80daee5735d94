@_exported public import CoreLocation

public typealias PlaceRepresentation = PlaceDescriptor.PlaceRepresentation
public typealias SupportingPlaceRepresentation = PlaceDescriptor.SupportingPlaceRepresentation

/// A description of a place, for those who look for it: the best representation first.
public struct PlaceDescriptor: Hashable, Sendable {
  public enum PlaceRepresentation: Hashable, Sendable {
    /// As one writes it, in whole.
    case address(String)
    case coordinate(CLLocationCoordinate2D)
    /// Where a device was.
    case deviceLocation(CLLocation)

    public static func == (a: Self, b: Self) -> Bool {
      switch (a, b) {
      case (.address(let a), .address(let b)): a == b
      case (.coordinate(let a), .coordinate(let b)):
        a.latitude == b.latitude && a.longitude == b.longitude
      case (.deviceLocation(let a), .deviceLocation(let b)): a == b
      default: false
      }
    }

    public func hash(into hasher: inout Hasher) {
      switch self {
      case .address(let text): hasher.combine(text)
      case .coordinate(let place):
        hasher.combine(place.latitude)
        hasher.combine(place.longitude)
      case .deviceLocation(let location): hasher.combine(location.hash)
      }
    }
  }

  public enum SupportingPlaceRepresentation: Hashable, Sendable {
    /// The place's identifier at each service, by the service's bundle identifier.
    case serviceIdentifiers([String: String])
  }

  public var representations: [PlaceRepresentation]
  public var commonName: String?
  public var supportingRepresentations: [SupportingPlaceRepresentation]

  public init(
    representations: [PlaceRepresentation], commonName: String?,
    supportingRepresentations: [SupportingPlaceRepresentation] = []
  ) {
    self.representations = representations
    self.commonName = commonName
    self.supportingRepresentations = supportingRepresentations
  }

  /// The first that there is.
  public var address: String? {
    representations.lazy.compactMap { if case .address(let text) = $0 { text } else { nil } }.first
  }

  public var coordinate: CLLocationCoordinate2D? {
    representations.lazy.compactMap { part -> CLLocationCoordinate2D? in
      switch part {
      case .coordinate(let place): place
      case .deviceLocation(let location): location.coordinate
      case .address: nil
      }
    }.first
  }

  public func serviceIdentifier(for bundleIdentifier: String) -> String? {
    supportingRepresentations.lazy.compactMap { part in
      if case .serviceIdentifiers(let names) = part { names[bundleIdentifier] } else { nil }
    }.first
  }
}
