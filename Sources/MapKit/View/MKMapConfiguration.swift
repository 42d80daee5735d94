public import Foundation

public enum MKMapType: UInt, Sendable {
  case standard = 0
  case satellite = 1
  case hybrid = 2
  case satelliteFlyover = 3
  case hybridFlyover = 4
  case mutedStandard = 5
}

/// The kind of a map. There are no pictures of satellites: in place of a hybrid map the page has the standard one, in
/// place of imagery the standard one without its names.
open class MKMapConfiguration: NSObject, NSCopying {
  public enum ElevationStyle: Int, Sendable {
    case flat = 0
    case realistic = 1
  }

  /// Without an effect: the page is flat.
  open var elevationStyle = ElevationStyle.flat

  override init() {}

  /// A copy of an app's own class is the same object: no other one has what the class adds.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = duplicate()
    guard Swift.type(of: copy) == Swift.type(of: self) else { return self }
    copy.elevationStyle = elevationStyle
    return copy
  }

  /// Another one of this library's class, with what that adds.
  func duplicate() -> MKMapConfiguration { MKMapConfiguration() }

  var type: MKMapType { .standard }
  var points: MKPointOfInterestFilter? { nil }
}

open class MKStandardMapConfiguration: MKMapConfiguration {
  public enum EmphasisStyle: Int, Sendable {
    case `default` = 0
    case muted = 1
  }

  open var emphasisStyle = EmphasisStyle.default
  open var pointOfInterestFilter: MKPointOfInterestFilter?
  /// Without an effect: no traffic is known.
  open var showsTraffic = false

  public override init() {}

  public convenience init(
    elevationStyle: ElevationStyle = .flat, emphasisStyle: EmphasisStyle = .default
  ) {
    self.init()
    self.elevationStyle = elevationStyle
    self.emphasisStyle = emphasisStyle
  }

  override func duplicate() -> MKMapConfiguration {
    let copy = MKStandardMapConfiguration(emphasisStyle: emphasisStyle)
    (copy.pointOfInterestFilter, copy.showsTraffic) = (pointOfInterestFilter, showsTraffic)
    return copy
  }

  override var type: MKMapType { emphasisStyle == .muted ? .mutedStandard : .standard }
  override var points: MKPointOfInterestFilter? { pointOfInterestFilter }
}

open class MKHybridMapConfiguration: MKMapConfiguration {
  open var pointOfInterestFilter: MKPointOfInterestFilter?
  /// Without an effect: no traffic is known.
  open var showsTraffic = false

  public override init() {}

  public convenience init(elevationStyle: ElevationStyle) {
    self.init()
    self.elevationStyle = elevationStyle
  }

  override func duplicate() -> MKMapConfiguration {
    let copy = MKHybridMapConfiguration()
    (copy.pointOfInterestFilter, copy.showsTraffic) = (pointOfInterestFilter, showsTraffic)
    return copy
  }

  override var type: MKMapType { .hybrid }
  override var points: MKPointOfInterestFilter? { pointOfInterestFilter }
}

open class MKImageryMapConfiguration: MKMapConfiguration {
  public override init() {}

  public convenience init(elevationStyle: ElevationStyle) {
    self.init()
    self.elevationStyle = elevationStyle
  }

  override func duplicate() -> MKMapConfiguration { MKImageryMapConfiguration() }

  override var type: MKMapType { .satellite }
  override var points: MKPointOfInterestFilter? { .excludingAll }
}
