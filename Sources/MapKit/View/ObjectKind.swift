public import Foundation

// Foundation has these on Apple's platforms.
extension NSObjectProtocol {
  public func isKind(of aClass: AnyClass) -> Bool {
    func isOne<Kind: AnyObject>(_: Kind.Type) -> Bool { self is Kind }
    return isOne(aClass)
  }

  public func isMember(of aClass: AnyClass) -> Bool { type(of: self as AnyObject) == aClass }
}
