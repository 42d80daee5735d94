public import Foundation

/// For code that names the scene of an app, which is nil here.
public final class UIScene: NSObject {}

/// An app's answer to a control that a person presses.
@preconcurrency @MainActor public final class UIAction: NSObject {
  public typealias Handler = (UIAction) -> Void

  public let title: String
  public let image: UIImage?
  let handler: Handler

  public init(title: String = "", image: UIImage? = nil, handler: @escaping Handler) {
    (self.title, self.image, self.handler) = (title, image, handler)
  }
}

extension UIControl {
  /// On the page a control is pressed, and nothing else.
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchDown = Event(rawValue: 1)
    public static let touchUpInside = Event(rawValue: 64)
    public static let primaryActionTriggered = Event(rawValue: 8192)
    public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    static let pressed: Event = [.touchDown, .touchUpInside, .primaryActionTriggered]
  }
}

/// The things a person does on a screen. The page tells of it in the words of a map alone.
public final class UIEvent: NSObject {}
