public import Foundation

/// The look of a view's rectangle, which the page does not draw: what is set here is kept, and has no effect. Core
/// Animation is not here; this has its name.
@preconcurrency @MainActor open class CALayer: NSObject {
  open var cornerRadius: CGFloat = 0
  open var masksToBounds = false
  open var borderWidth: CGFloat = 0
  open var borderColor: CGColor?
  open var backgroundColor: CGColor?
  open var shadowColor: CGColor?
  open var shadowOpacity: Float = 0
  open var shadowOffset = CGSize(width: 0, height: -3)
  open var shadowRadius: CGFloat = 3
  open var shadowPath: CGPath?
  open var opacity: Float = 1
  open var zPosition: CGFloat = 0

  public nonisolated override init() {}
}
