public import Foundation

/// Which parts of an address a search is for.
open class MKAddressFilter: NSObject, NSCopying {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let country = Options(rawValue: 1)
    public static let administrativeArea = Options(rawValue: 2)
    public static let subAdministrativeArea = Options(rawValue: 4)
    public static let locality = Options(rawValue: 8)
    public static let subLocality = Options(rawValue: 16)
    public static let postalCode = Options(rawValue: 32)
  }

  private let excluded: Options
  private static let all = Options(rawValue: 63)

  public class var includingAll: MKAddressFilter { MKAddressFilter(excluding: []) }
  public class var excludingAll: MKAddressFilter { MKAddressFilter(including: []) }

  public init(including options: Options) { excluded = Self.all.subtracting(options) }

  public init(excluding options: Options) { excluded = options }

  open func includes(_ options: Options) -> Bool { excluded.isDisjoint(with: options) }

  open func excludes(_ options: Options) -> Bool { excluded.isSuperset(of: options) }

  open func copy(with zone: NSZone? = nil) -> Any { MKAddressFilter(excluding: excluded) }
}

/// How much the region of a search counts.
public enum MKLocalSearchRegionPriority: Int, Sendable {
  /// Places near its center come first.
  case `default` = 0
  /// Places elsewhere are left out.
  case required = 1
}
