public import Foundation

public enum UIUserInterfaceStyle: Int, Sendable {
  case unspecified = 0
  case light = 1
  case dark = 2
}

/// The facts about the screen: the page chooses its colours itself, and those of an app are for a light one.
public final class UITraitCollection: NSObject, Sendable {
  public let userInterfaceStyle: UIUserInterfaceStyle
  public let displayScale: CGFloat = 1

  public init(userInterfaceStyle: UIUserInterfaceStyle) {
    self.userInterfaceStyle = userInterfaceStyle
  }

  public static let current = UITraitCollection(userInterfaceStyle: .light)
}

extension UIColor {
  /// Its colour for a light screen.
  public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
    self.init(cgColor: dynamicProvider(.current).cgColor)
  }

  public func resolvedColor(with traitCollection: UITraitCollection) -> UIColor { self }
}
