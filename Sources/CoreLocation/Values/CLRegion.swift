public import Foundation
import Geodesy
import LocationClient
import LocationModel

/// A part of the Earth that an app wants to know it enters or leaves. Two regions are equal when their
/// identifiers are.
// Unchecked, as open classes are: it holds constants, and a value behind a lock.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  open internal(set) var identifier = ""
  private let notices = Guarded((onEntry: true, onExit: true))

  open var notifyOnEntry: Bool {
    get { notices.withLock { $0.onEntry } }
    set { notices.withLock { $0.onEntry = newValue } }
  }

  open var notifyOnExit: Bool {
    get { notices.withLock { $0.onExit } }
    set { notices.withLock { $0.onExit = newValue } }
  }

  public override init() {}

  convenience init(identifier: String) {
    self.init()
    self.identifier = identifier
  }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLRegion)?.identifier == identifier
  }

  open override var hash: Int { identifier.hashValue }

  open override var description: String {
    "\(type(of: self)) (identifier:'\(identifier)')"
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLRegion(identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }

  public required init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else {
      return nil
    }
    super.init()
    self.identifier = String(describing: identifier)
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
  }
}

// Unchecked, as its superclass.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  open internal(set) var center: CLLocationCoordinate2D
  open internal(set) var radius: CLLocationDistance

  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init()
    self.identifier = identifier
  }

  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    Coordinate(center).distance(to: Coordinate(coordinate)) <= radius
  }

  open override var description: String {
    let circle = String(
      format: "center:<%+.8f,%+.8f>, radius:%.2fm", center.latitude, center.longitude, radius)
    return "CLCircularRegion (identifier:'\(identifier)', \(circle))"
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  public required init?(coder: NSCoder) {
    center = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    radius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }
}
