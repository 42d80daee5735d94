public import Foundation

/// What a map, and each thing on it, is made of: a rectangle. UIKit is not here; nothing else of it is in this model.
@MainActor open class UIView {
  open var frame: CGRect
  open var isHidden = false { didSet { if isHidden != oldValue { changed() } } }

  public init(frame: CGRect) {
    self.frame = frame
  }

  public convenience init() {
    self.init(frame: CGRect())
  }

  /// The page is to be told.
  func changed() {}
}

/// A thing to be pressed beside an annotation's title.
@MainActor open class UIControl: UIView {
  open var isEnabled = true

  /// The text that the page writes on it.
  var words: String { "…" }
}

@MainActor open class UIButton: UIControl {
  public enum ButtonType: Int, Sendable {
    case custom = 0
    case system = 1
    case detailDisclosure = 2
    case infoLight = 3
    case infoDark = 4
    case contactAdd = 5
    case close = 7
  }

  private var title: String?
  private let type: ButtonType

  public init(type buttonType: ButtonType) {
    type = buttonType
    super.init(frame: CGRect())
  }

  public override init(frame: CGRect) {
    type = .custom
    super.init(frame: frame)
  }

  /// One title for all states.
  open func setTitle(_ title: String?, for state: State) {
    self.title = title
  }

  open var currentTitle: String? { title }

  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal = State([])
  }

  override var words: String {
    if let title { return title }
    return switch type {
    case .detailDisclosure, .infoLight, .infoDark: "ⓘ"
    case .contactAdd: "+"
    case .close: "×"
    case .custom, .system: "…"
    }
  }
}
