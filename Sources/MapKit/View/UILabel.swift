import Foundation

/// A text in a callout.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String? { didSet { changed() } }
  open var textColor: UIColor?
  open var numberOfLines = 1
  /// Without an effect, as the alignment: the page has letters of its own.
  open var font: UIFont! = .systemFont(ofSize: 17)
  open var textAlignment = NSTextAlignment.left

  override var parts: [CalloutPart] { (text.map { [.text($0)] } ?? []) + super.parts }
}

/// A picture in a callout.
@preconcurrency @MainActor open class UIImageView: UIView {
  open var image: UIImage? { didSet { changed() } }

  public convenience init(image: UIImage?) {
    self.init(frame: CGRect(origin: CGPoint(), size: image?.size ?? CGSize()))
    self.image = image
  }

  override var parts: [CalloutPart] { (image.map { [.image($0)] } ?? []) + super.parts }
}

/// A part of a view that the page shows in a callout.
enum CalloutPart {
  case text(String)
  case image(UIImage)
}

public enum NSTextAlignment: Int, Sendable {
  case left = 0
  case center = 1
  case right = 2
  case justified = 3
  case natural = 4
}

/// Letters, whose size is all that is known of them.
public final class UIFont: NSObject, Sendable {
  public enum TextStyle: CGFloat, Sendable {
    case caption2 = 11
    case caption1 = 12
    case footnote = 13
    case subheadline = 15
    case callout = 16
    case body = 17
    case title3 = 20
    case title2 = 22
    case title1 = 28
    case largeTitle = 34
    /// As large as `body`, and bold.
    case headline = 17.5
  }

  public let pointSize: CGFloat

  private init(_ pointSize: CGFloat) { self.pointSize = pointSize }

  public static func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
  public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }

  public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(style.rawValue.rounded(.down))
  }

  public func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
}
