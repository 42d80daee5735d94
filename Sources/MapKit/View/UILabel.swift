import Foundation

/// A text in a callout.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String? { didSet { changed() } }
  open var textColor: UIColor?
  open var numberOfLines = 1
  /// Without an effect, as the four below: the page has letters of its own.
  open var font: UIFont! = .systemFont(ofSize: 17)
  open var textAlignment = NSTextAlignment.left
  open var adjustsFontSizeToFitWidth = false
  open var minimumScaleFactor: CGFloat = 0
  open var lineBreakMode = NSLineBreakMode.byTruncatingTail
  /// Its text is shown.
  open var attributedText: NSAttributedString? {
    get { text.map { NSAttributedString(string: $0) } }
    set { text = newValue?.string }
  }

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

/// Views in a row or a column, which a callout shows below one another.
@preconcurrency @MainActor open class UIStackView: UIView {
  public enum Axis: Int, Sendable {
    case horizontal = 0
    case vertical = 1
  }

  public enum Alignment: Int, Sendable {
    case fill = 0
    case leading = 1
    case firstBaseline = 2
    case center = 3
    case trailing = 4
    case lastBaseline = 5
  }

  public enum Distribution: Int, Sendable {
    case fill = 0
    case fillEqually = 1
    case fillProportionally = 2
    case equalSpacing = 3
    case equalCentering = 4
  }

  /// Without an effect, as the three below.
  open var axis = Axis.horizontal
  open var alignment = Alignment.fill
  open var distribution = Distribution.fill
  open var spacing: CGFloat = 0

  public convenience init(arrangedSubviews views: [UIView]) {
    self.init(frame: CGRect())
    for view in views { addArrangedSubview(view) }
  }

  open var arrangedSubviews: [UIView] { subviews }
  open func addArrangedSubview(_ view: UIView) { addSubview(view) }
  open func insertArrangedSubview(_ view: UIView, at index: Int) { insertSubview(view, at: index) }
  open func removeArrangedSubview(_ view: UIView) { view.removeFromSuperview() }
}

/// A part of a view that the page shows in a callout.
enum CalloutPart {
  case text(String)
  case image(UIImage)
}

public enum NSLineBreakMode: Int, Sendable {
  case byWordWrapping = 0
  case byCharWrapping = 1
  case byClipping = 2
  case byTruncatingHead = 3
  case byTruncatingTail = 4
  case byTruncatingMiddle = 5
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

  /// Kept by nothing: the page has its own letters.
  public struct Weight: Hashable, RawRepresentable, Sendable {
    public let rawValue: CGFloat
    public init(rawValue: CGFloat) { self.rawValue = rawValue }
    public static let ultraLight = Weight(rawValue: -0.8)
    public static let thin = Weight(rawValue: -0.6)
    public static let light = Weight(rawValue: -0.4)
    public static let regular = Weight(rawValue: 0)
    public static let medium = Weight(rawValue: 0.23)
    public static let semibold = Weight(rawValue: 0.3)
    public static let bold = Weight(rawValue: 0.4)
    public static let heavy = Weight(rawValue: 0.56)
    public static let black = Weight(rawValue: 0.62)
  }

  public let pointSize: CGFloat

  private init(_ pointSize: CGFloat) { self.pointSize = pointSize }

  public static func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
  public static func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
    UIFont(fontSize)
  }
  public static func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont(fontSize) }

  public static func preferredFont(forTextStyle style: TextStyle) -> UIFont {
    UIFont(style.rawValue.rounded(.down))
  }

  public func withSize(_ fontSize: CGFloat) -> UIFont { UIFont(fontSize) }
}
