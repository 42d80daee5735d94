public import Foundation

/// What a map, and each thing on it, is made of: a rectangle. UIKit is not here; nothing else of it is in this model.
@preconcurrency @MainActor open class UIView: NSObject {
  open var frame = CGRect()
  open var isHidden = false { didSet { if isHidden != oldValue { changed() } } }
  open var alpha: CGFloat = 1 { didSet { changed() } }
  open var transform = CGAffineTransform.identity { didSet { changed() } }
  open var tintColor: UIColor? = .systemBlue { didSet { changed() } }
  open var backgroundColor: UIColor?
  open var isUserInteractionEnabled = true
  /// Without an effect, as the text for readers of the screen.
  open var clipsToBounds = false
  open var accessibilityLabel: String?
  open var accessibilityHint: String?
  open var accessibilityIdentifier: String?
  open var isAccessibilityElement = false
  open var tag = 0
  /// Without an effect, as the four below.
  open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
  open var autoresizingMask: AutoresizingMask = []
  open var contentMode = ContentMode.scaleToFill
  open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
  public let layer = CALayer()
  open var traitCollection: UITraitCollection { .current }
  public private(set) final weak var superview: UIView?
  /// The annotation's view in whose callout this one lies.
  final weak var owner: UIView?
  public private(set) final var subviews: [UIView] = []

  public nonisolated override init() {}

  public init(frame: CGRect) {
    self.frame = frame
  }

  /// For subclasses that call it: there are no archives of views. Its second argument lets those be without it that
  /// do not, and write it as `required` that do.
  public init(coder: NSCoder, archive: Void = ()) {}

  /// The rectangle in its own coordinates.
  open var bounds: CGRect {
    get { CGRect(origin: CGPoint(), size: frame.size) }
    set { frame.size = newValue.size }
  }

  open var center: CGPoint {
    get { CGPoint(x: frame.midX, y: frame.midY) }
    set {
      frame.origin = CGPoint(
        x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2)
    }
  }

  /// A view in a view is known, and not drawn.
  open func addSubview(_ view: UIView) {
    // No view is in itself.
    guard !sequence(first: self, next: \.superview).contains(where: { $0 === view }) else { return }
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    changed()
  }

  open func insertSubview(_ view: UIView, at index: Int) {
    addSubview(view)
    guard view.superview === self, subviews.indices.contains(index) else { return }
    subviews.insert(subviews.removeLast(), at: index)
  }

  open func bringSubviewToFront(_ view: UIView) {
    if view.superview === self { addSubview(view) }
  }

  open func sendSubviewToBack(_ view: UIView) {
    if view.superview === self { insertSubview(view, at: 0) }
  }

  open func removeFromSuperview() {
    guard let superview else { return }
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    superview.changed()
  }

  /// Called before an annotation's view is shown, and where the app asks for it.
  open func layoutSubviews() {}

  open func setNeedsLayout() { changed() }
  open func setNeedsDisplay() { changed() }
  open func layoutIfNeeded() { layoutSubviews() }
  open func sizeToFit() {}

  /// Never called, as the two below: the page has its own way to find what a person points at, and draws no views.
  open func draw(_ rect: CGRect) {}
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { nil }
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  /// The page is to be told.
  func changed() {
    superview?.changed()
    owner?.changed()
  }

  /// The parts that the page shows in a callout: texts and pictures, from the first to the last.
  var parts: [CalloutPart] { subviews.filter { !$0.isHidden }.flatMap(\.parts) }
}

/// A thing to be pressed beside an annotation's title.
@preconcurrency @MainActor open class UIControl: UIView {
  open var isEnabled = true

  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal = State([])
    public static let highlighted = State(rawValue: 1)
    public static let disabled = State(rawValue: 2)
    public static let selected = State(rawValue: 4)
  }

  private var actions: [(events: Event, action: UIAction)] = []

  /// Called when a person presses it, after the delegate of the map.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.append((controlEvents, action))
  }

  open func removeAction(_ action: UIAction, for controlEvents: Event) {
    actions.removeAll { $0.action === action }
  }

  open func sendActions(for controlEvents: Event) {
    for (events, action) in actions where !events.isDisjoint(with: controlEvents) {
      action.handler(action)
    }
  }

  /// The text that the page writes on it.
  var words: String { "…" }
}

@preconcurrency @MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom = 0
    case system = 1
    case detailDisclosure = 2
    case infoLight = 3
    case infoDark = 4
    case contactAdd = 5
    case close = 7
  }

  /// Its text is the title; nothing else of it is shown.
  public private(set) lazy var titleLabel: UILabel? = UILabel()
  private var title: String? { didSet { titleLabel?.text = title } }
  private var picture: UIImage?
  public private(set) final var buttonType = ButtonType.custom

  public convenience init(type buttonType: ButtonType) {
    self.init(frame: CGRect())
    self.buttonType = buttonType
  }

  /// One title for all states.
  open func setTitle(_ title: String?, for state: State) {
    self.title = title
    changed()
  }

  open func title(for state: State) -> String? { title }
  open var currentTitle: String? { title }
  open var currentImage: UIImage? { picture }

  /// Without an effect: the page has its own colours.
  open func setTitleColor(_ color: UIColor?, for state: State) {}

  /// The page writes a picture that is a sign, where there is no title.
  open func setImage(_ image: UIImage?, for state: State) {
    picture = image
    changed()
  }

  open func setBackgroundImage(_ image: UIImage?, for state: State) {
    setImage(image, for: state)
  }

  override var words: String {
    if let title { return title }
    if case .sign(let sign)? = picture?.picture { return sign }
    return switch buttonType {
    case .detailDisclosure, .infoLight, .infoDark: "ⓘ"
    case .contactAdd: "+"
    case .close: "×"
    case .custom, .system: "…"
    }
  }
}
