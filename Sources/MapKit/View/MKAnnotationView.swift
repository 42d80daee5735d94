public import Foundation

/// How an annotation looks on a map: here a dot.
@preconcurrency @MainActor open class MKAnnotationView: UIView {
  open var annotation: (any MKAnnotation)? { didSet { changed() } }
  public private(set) final var reuseIdentifier: String?
  open var isEnabled = true { didSet { changed() } }
  open var isSelected = false
  /// Whether the title is shown when a person selects it.
  open var canShowCallout = false { didSet { changed() } }
  /// In points, to the right and down.
  open var centerOffset = CGPoint() { didSet { changed() } }
  open var calloutOffset = CGPoint() { didSet { changed() } }
  open var leftCalloutAccessoryView: UIView? { didSet { changed() } }
  open var rightCalloutAccessoryView: UIView? { didSet { changed() } }
  /// Views of one name are shown as one where they lie close together.
  open var clusteringIdentifier: String? { didSet { changed() } }
  weak var map: MKMapView?

  public init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
    self.annotation = annotation
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: CGRect())
  }

  public nonisolated override init() { super.init() }

  public override init(frame: CGRect) {
    super.init(frame: frame)
  }

  public override init(coder: NSCoder, archive: Void = ()) {
    super.init(coder: coder)
  }

  /// Called before another annotation has the view.
  open func prepareForReuse() {}
  open func prepareForDisplay() {}

  open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

  override func changed() { map?.viewChanged(self) }

  var look: PinLook { PinLook() }
}

extension MKAnnotationView {
  convenience init(registered reuseIdentifier: String) {
    self.init(annotation: nil, reuseIdentifier: reuseIdentifier)
  }

  /// A view of this class. A map makes classes of the app's that it knows by their metatype, as Apple's do; Swift
  /// allows that with a `required` init alone, which every subclass would have to have. What is called is the init
  /// above, by its symbol: it finds the subclass's own. An init consumes what it is given.
  @_silgen_name("$s6MapKit16MKAnnotationViewC10registeredACSS_tcfC")
  static func make(registered reuseIdentifier: consuming String) -> MKAnnotationView
}

/// A balloon with a sign in it.
@preconcurrency @MainActor open class MKMarkerAnnotationView: MKAnnotationView {
  open var markerTintColor: UIColor? { didSet { changed() } }
  open var glyphTintColor: UIColor? { didSet { changed() } }
  open var glyphText: String? { didSet { changed() } }

  override var look: PinLook {
    PinLook(
      kind: "marker", color: (markerTintColor ?? .systemRed).words, glyph: glyphText,
      glyphColor: glyphTintColor?.words)
  }
}

@preconcurrency @MainActor open class MKPinAnnotationView: MKAnnotationView {
  open var pinTintColor: UIColor? { didSet { changed() } }
  /// Without an effect.
  open var animatesDrop = false

  nonisolated open class func redPinColor() -> UIColor { .systemRed }
  nonisolated open class func greenPinColor() -> UIColor { .systemGreen }
  nonisolated open class func purplePinColor() -> UIColor { .systemPurple }

  override var look: PinLook {
    PinLook(kind: "pin", color: (pinTintColor ?? Self.redPinColor()).words)
  }
}

/// The mark at the place of an annotation, as the page draws it.
struct PinLook {
  var kind = "dot"
  var color = UIColor.systemBlue.words
  var glyph: String?
  var glyphColor: String?
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKMapViewDefaultAnnotationViewReuseIdentifier =
  "MKMapViewDefaultAnnotationViewReuseIdentifier"
