public import Foundation

/// How an annotation looks on a map: its picture, else a dot.
@preconcurrency @MainActor open class MKAnnotationView: UIView {
  open var annotation: (any MKAnnotation)? { didSet { changed() } }
  open internal(set) var reuseIdentifier: String?
  open var isEnabled = true { didSet { changed() } }
  open var isSelected = false
  /// Whether the title is shown when a person selects it.
  open var canShowCallout = false { didSet { changed() } }
  /// Without an effect, as the offsets of accessories below.
  open var isHighlighted = false
  open var accessoryOffset = CGPoint()
  open var leftCalloutOffset = CGPoint()
  open var rightCalloutOffset = CGPoint()
  /// In points, to the right and down.
  open var centerOffset = CGPoint() { didSet { changed() } }
  open var calloutOffset = CGPoint() { didSet { changed() } }
  open var leftCalloutAccessoryView: UIView? {
    didSet { replace(oldValue, by: leftCalloutAccessoryView) }
  }
  open var rightCalloutAccessoryView: UIView? {
    didSet { replace(oldValue, by: rightCalloutAccessoryView) }
  }
  /// In place of the subtitle.
  open var detailCalloutAccessoryView: UIView? {
    didSet { replace(oldValue, by: detailCalloutAccessoryView) }
  }
  /// Its middle lies on the place.
  open var image: UIImage? {
    didSet {
      if let size = image?.size { frame.size = size }
      changed()
    }
  }
  /// Views of one name are shown as one where they lie close together.
  open var clusteringIdentifier: String? { didSet { changed() } }
  /// The view of the cluster that shows it.
  open internal(set) weak var cluster: MKAnnotationView?
  /// A view of less than `required` is hidden where it meets one of more.
  open var displayPriority = MKFeatureDisplayPriority.required { didSet { changed() } }
  open var collisionMode = CollisionMode.rectangle { didSet { changed() } }
  open var zPriority = MKAnnotationViewZPriority.defaultUnselected { didSet { changed() } }
  open var selectedZPriority = MKAnnotationViewZPriority.defaultSelected { didSet { changed() } }
  /// A person may move an `MKPointAnnotation`.
  open var isDraggable = false { didSet { changed() } }
  open var dragState = DragState.none
  weak var map: MKMapView?

  public init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: CGRect())
    take(annotation)
  }

  /// Sets it outside of the init, so that a subclass that observes the property hears of the first one, too.
  private func take(_ annotation: (any MKAnnotation)?) { self.annotation = annotation }

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

  open func setDragState(_ newDragState: DragState, animated: Bool) { dragState = newDragState }

  override func changed() { map?.viewChanged(self) }

  private func replace(_ old: UIView?, by new: UIView?) {
    let shown = [leftCalloutAccessoryView, rightCalloutAccessoryView, detailCalloutAccessoryView]
    if old?.owner === self, !shown.contains(where: { $0 === old }) { old?.owner = nil }
    new?.owner = self
    changed()
  }

  var look: PinLook {
    // A sign is in the colour of the view, if it has none of its own.
    image.map {
      PinLook(kind: "image", glyphColor: ($0.tint ?? tintColor)?.words, image: $0)
    } ?? PinLook()
  }
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
  /// In place of the text.
  open var glyphImage: UIImage? { didSet { changed() } }
  open var selectedGlyphImage: UIImage? { didSet { changed() } }
  /// The title stands below a marker where it is `visible`.
  open var titleVisibility = MKFeatureVisibility.adaptive { didSet { changed() } }
  open var subtitleVisibility = MKFeatureVisibility.adaptive { didSet { changed() } }
  /// Without an effect.
  open var animatesWhenAdded = false

  open override func setSelected(_ selected: Bool, animated: Bool) {
    super.setSelected(selected, animated: animated)
    if selectedGlyphImage != nil { changed() }
  }

  /// A cluster's marker tells its members where the app gives it no text.
  private var count: String? {
    (annotation as? MKClusterAnnotation).map { String($0.memberAnnotations.count) }
  }

  override var look: PinLook {
    PinLook(
      kind: "marker", color: (markerTintColor ?? .systemRed).words, glyph: glyphText ?? count,
      glyphColor: glyphTintColor?.words,
      image: isSelected ? selectedGlyphImage ?? glyphImage : glyphImage,
      hasTitle: titleVisibility == .visible, hasSubtitle: subtitleVisibility == .visible)
  }
}

@preconcurrency @MainActor open class MKPinAnnotationView: MKAnnotationView {
  open var pinTintColor: UIColor? { didSet { changed() } }
  /// Without an effect.
  open var animatesDrop = false

  /// The older words for `pinTintColor`.
  open var pinColor: MKPinAnnotationColor {
    get {
      switch pinTintColor {
      case Self.greenPinColor(): .green
      case Self.purplePinColor(): .purple
      default: .red
      }
    }
    set {
      pinTintColor =
        switch newValue {
        case .red: Self.redPinColor()
        case .green: Self.greenPinColor()
        case .purple: Self.purplePinColor()
        }
    }
  }

  nonisolated open class func redPinColor() -> UIColor { .systemRed }
  nonisolated open class func greenPinColor() -> UIColor { .systemGreen }
  nonisolated open class func purplePinColor() -> UIColor { .systemPurple }

  override var look: PinLook {
    PinLook(kind: "pin", color: (pinTintColor ?? Self.redPinColor()).words)
  }
}

public enum MKPinAnnotationColor: UInt, Sendable {
  case red = 0
  case green = 1
  case purple = 2
}

/// For apps that make one: the page marks the device itself, and a map asks for no view of it.
@preconcurrency @MainActor open class MKUserLocationView: MKAnnotationView {}

/// The mark at the place of an annotation, as the page draws it.
struct PinLook {
  var kind = "dot"
  var color = UIColor.systemBlue.words
  var glyph: String?
  var glyphColor: String?
  var image: UIImage?
  /// Below it, without being selected.
  var hasTitle = false
  var hasSubtitle = false
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKMapViewDefaultAnnotationViewReuseIdentifier =
  "MKMapViewDefaultAnnotationViewReuseIdentifier"
