import Foundation

/// A text in a callout.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String? { didSet { changed() } }
  open var textColor: UIColor?
  open var numberOfLines = 1

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
