public import Foundation
import LocationClient
import LocationModel

/// Which beacons are meant: all of a UUID, or those with a major, or one with major and minor.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  open internal(set) var uuid: UUID
  open internal(set) var major: CLBeaconMajorValue?
  open internal(set) var minor: CLBeaconMinorValue?

  public init(uuid: UUID) { self.uuid = uuid }

  public init(uuid: UUID, major: CLBeaconMajorValue) {
    self.uuid = uuid
    self.major = major
  }

  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return other.uuid == uuid && other.major == major && other.minor == minor
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(uuid)
    hasher.combine(major)
    hasher.combine(minor)
    return hasher.finalize()
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    if let major { coder.encode(Int(major), forKey: "major") }
    if let minor { coder.encode(Int(minor), forKey: "minor") }
  }

  public required init?(coder: NSCoder) {
    let text = coder.decodeObject(of: NSString.self, forKey: "uuid")
    guard let uuid = text.flatMap({ UUID(uuidString: String(describing: $0)) }) else { return nil }
    self.uuid = uuid
    major = coder.word(forKey: "major")
    minor = coder.word(forKey: "minor")
  }
}

extension NSCoder {
  fileprivate func word(forKey key: String) -> UInt16? {
    containsValue(forKey: key) ? UInt16(exactly: decodeInteger(forKey: key)) : nil
  }
}

/// The surroundings of some beacons: entered when one is heard first, left after 30 s without.
// Unchecked, as its superclass.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  open internal(set) var beaconIdentityConstraint: CLBeaconIdentityConstraint
  /// Kept for the app, without effect: the daemon knows of no display.
  open var notifyEntryStateOnDisplay: Bool {
    get { isToldOnDisplay.withLock { $0 } }
    set { isToldOnDisplay.withLock { $0 = newValue } }
  }
  private let isToldOnDisplay = Guarded(false)

  // All are designated, as Apple's are: a subclass may call and override each.

  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    self.beaconIdentityConstraint = beaconIdentityConstraint
    super.init()
    self.identifier = identifier
  }

  public init(uuid: UUID, identifier: String) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: uuid)
    super.init()
    self.identifier = identifier
  }

  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: uuid, major: major)
    super.init()
    self.identifier = identifier
  }

  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
    super.init()
    self.identifier = identifier
  }

  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: proximityUUID)
    super.init()
    self.identifier = identifier
  }

  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: proximityUUID, major: major)
    super.init()
    self.identifier = identifier
  }

  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    beaconIdentityConstraint = CLBeaconIdentityConstraint(
      uuid: proximityUUID, major: major, minor: minor)
    super.init()
    self.identifier = identifier
  }

  open var uuid: UUID { beaconIdentityConstraint.uuid }
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  open var major: NSNumber? { beaconIdentityConstraint.major.map { NSNumber(value: $0) } }
  open var minor: NSNumber? { beaconIdentityConstraint.minor.map { NSNumber(value: $0) } }

  /// The bytes that make a Bluetooth device say that it is this beacon, as its advertisement has them;
  /// -59 dBm at a metre unless measured. Zero stands for a major or minor that is not given.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let identity = BeaconIdentity(
      BeaconUUID(uuid), major: beaconIdentityConstraint.major ?? 0,
      minor: beaconIdentityConstraint.minor ?? 0)
    let power = measuredPower.map { Int8(clamping: $0.intValue) } ?? BeaconFrame.usualPower
    let data = NSMutableDictionary()
    // CoreBluetooth adds the two bytes of the kind.
    data["kCBAdvDataAppleBeaconKey"] = Data(
      BeaconFrame(identity, measuredPower: power).bytes.dropFirst(2))
    return data
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLBeaconRegion(
      beaconIdentityConstraint: beaconIdentityConstraint, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(beaconIdentityConstraint, forKey: "constraint")
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }

  public required init?(coder: NSCoder) {
    guard
      let constraint = coder.decodeObject(
        of: CLBeaconIdentityConstraint.self, forKey: "constraint")
    else { return nil }
    beaconIdentityConstraint = constraint
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
  }
}

/// A beacon that is heard.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private final var identity = (uuid: UUID(), major: UInt16(0), minor: UInt16(0))
  private final var signal = (proximity: CLProximity.unknown, accuracy: -1.0, rssi: 0, date: Date())

  public override init() {}

  convenience init(
    _ identity: (uuid: UUID, major: UInt16, minor: UInt16),
    _ signal: (proximity: CLProximity, accuracy: Double, rssi: Int, date: Date)
  ) {
    self.init()
    self.identity = identity
    self.signal = signal
  }

  open var uuid: UUID { identity.uuid }
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  open var major: NSNumber { NSNumber(value: identity.major) }
  open var minor: NSNumber { NSNumber(value: identity.minor) }
  open var proximity: CLProximity { signal.proximity }
  /// Metres, to tell beacons of the same proximity apart; negative where it is unknown.
  open var accuracy: CLLocationAccuracy { signal.accuracy }
  /// dBm; 0 where the beacon is not heard any more.
  open var rssi: Int { signal.rssi }
  open var timestamp: Date { signal.date }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    coder.encode(Int(identity.major), forKey: "major")
    coder.encode(Int(identity.minor), forKey: "minor")
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }

  public required init?(coder: NSCoder) {
    let text = coder.decodeObject(of: NSString.self, forKey: "uuid")
    guard let uuid = text.flatMap({ UUID(uuidString: String(describing: $0)) }) else { return nil }
    identity = (uuid, coder.word(forKey: "major") ?? 0, coder.word(forKey: "minor") ?? 0)
    signal = (
      CLProximity(rawValue: coder.decodeInteger(forKey: "proximity")) ?? .unknown,
      coder.decodeDouble(forKey: "accuracy"), coder.decodeInteger(forKey: "rssi"),
      Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    )
  }
}
