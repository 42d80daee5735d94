public import Foundation

/// A picture of an annotation or a callout: a PNG, or a sign that has a name. UIKit is not here; a map's pictures have
/// its name, so that code for iPhones stays as it is.
public final class UIImage: NSObject, Sendable {
  let picture: Picture
  public let scale: CGFloat
  /// The colour of a sign.
  let tint: UIColor?

  enum Picture: Equatable, Sendable {
    case png(Data, width: Int, height: Int)
    case sign(String)
  }

  static let mostBytes = 1 << 20

  init(_ picture: Picture, scale: CGFloat = 1, tint: UIColor? = nil) {
    self.picture = picture
    self.scale = scale
    self.tint = tint
  }

  /// Nil for what is no PNG, or a PNG above a megabyte.
  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  public convenience init?(data: Data, scale: CGFloat) {
    guard data.count > 24, data.count <= Self.mostBytes, scale > 0 else { return nil }
    let bytes = [UInt8](data.prefix(24))
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    let (width, height) = (number(at: 16), number(at: 20))
    guard (1...4096).contains(width), (1...4096).contains(height) else { return nil }
    self.init(.png(data, width: width, height: height), scale: scale)
  }

  public convenience init?(contentsOfFile path: String) {
    guard let data = Data(ofFile: URL(filePath: path), atMost: Self.mostBytes) else { return nil }
    let name = URL(filePath: path).deletingPathExtension().lastPathComponent
    self.init(data: data, scale: name.hasSuffix("@3x") ? 3 : name.hasSuffix("@2x") ? 2 : 1)
  }

  /// A PNG of this name among the resources of the app, or beside its program.
  public convenience init?(named name: String) {
    let folders = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap { $0?.path }
    let files = ["@2x.png", ".png", "@3x.png", ""].map { name + $0 }
    let paths = folders.flatMap { folder in files.map { "\(folder)/\($0)" } }
    guard !name.isEmpty, !name.contains(".."),
      let path = paths.first(where: FileManager.default.isReadableFile)
    else { return nil }
    self.init(contentsOfFile: path)
  }

  /// The sign that is nearest to a symbol of Apple's; a dot where none is known.
  public convenience init?(systemName name: String) {
    guard !name.isEmpty else { return nil }
    self.init(.sign(Signs.sign(of: name)))
  }

  /// A picture without a point.
  public convenience override init() { self.init(.sign("")) }

  /// The size and weight of a symbol, which a map's signs do not have.
  public final class SymbolConfiguration: NSObject, Sendable {
    public init(pointSize: CGFloat) {}
    public init(pointSize: CGFloat, weight: SymbolWeight) {}
    public init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) {}
    public init(weight: SymbolWeight) {}
    public init(scale: SymbolScale) {}
    public init(textStyle: UIFont.TextStyle) {}
    public init(hierarchicalColor: UIColor) {}
    public init(paletteColors: [UIColor]) {}
  }

  public enum SymbolScale: Int, Sendable {
    case `default` = -1
    case unspecified = 0
    case small = 1
    case medium = 2
    case large = 3
  }

  public enum SymbolWeight: Int, Sendable {
    case unspecified = 0
    case ultraLight = 1
    case thin = 2
    case light = 3
    case regular = 4
    case medium = 5
    case semibold = 6
    case bold = 7
    case heavy = 8
    case black = 9
  }

  public convenience init?(
    systemName name: String, withConfiguration configuration: SymbolConfiguration?
  ) {
    self.init(systemName: name)
  }

  public enum RenderingMode: Int, Sendable {
    case automatic = 0
    case alwaysOriginal = 1
    case alwaysTemplate = 2
  }

  /// In points.
  public var size: CGSize {
    switch picture {
    case .png(_, let width, let height):
      CGSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale)
    case .sign(let sign): sign.isEmpty ? CGSize() : CGSize(width: 20, height: 20)
    }
  }

  public func pngData() -> Data? {
    guard case .png(let data, _, _) = picture else { return nil }
    return data
  }

  /// A sign in this colour, in place of the view's; a PNG stays as it is.
  public func withTintColor(_ color: UIColor) -> UIImage {
    UIImage(picture, scale: scale, tint: color)
  }

  public func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
    withTintColor(color)
  }

  public func withConfiguration(_ configuration: SymbolConfiguration) -> UIImage { self }
  public func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? { self }
  public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { self }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UIImage).map { $0.picture == picture && $0.scale == scale } ?? false
  }

  public override var hash: Int { pngData()?.hashValue ?? scale.hashValue }
}

extension Data {
  /// Nil for a larger file, which is not read to its end.
  init?(ofFile url: URL, atMost most: Int) {
    guard let file = try? FileHandle(forReadingFrom: url),
      let data = try? file.read(upToCount: most + 1), data.count <= most
    else { return nil }
    self = data
  }
}

/// Signs of Unicode in place of Apple's symbols.
enum Signs {
  static func sign(of name: String) -> String {
    var parts = name.split(separator: ".").map(String.init)
    while !parts.isEmpty {
      if let sign = table[parts.joined(separator: ".")] { return sign }
      parts.removeLast()
    }
    return "●"
  }

  private static let table = [
    "airplane": "✈", "arrow.down": "↓", "arrow.left": "←", "arrow.right": "→", "arrow.up": "↑",
    "bed.double": "🛏", "bell": "🔔", "bicycle": "🚲", "bolt": "⚡", "book": "📖", "building": "🏢",
    "bus": "🚌", "camera": "📷", "car": "🚗", "cart": "🛒", "checkmark": "✓", "circle": "●",
    "cross": "✚", "cup.and.saucer": "☕", "exclamationmark": "!", "exclamationmark.triangle": "⚠",
    "ferry": "⛴", "figure.walk": "🚶", "flag": "⚑", "flame": "🔥", "fork.knife": "🍴", "fuelpump": "⛽",
    "gift": "🎁", "graduationcap": "🎓", "heart": "♥", "house": "⌂", "info": "ⓘ", "leaf": "🍃",
    "location": "➤", "lock": "🔒", "mappin": "📍", "minus": "−", "moon": "☾", "mountain.2": "⛰",
    "music.note": "♪", "p": "P", "parkingsign": "P", "pawprint": "🐾", "person": "👤", "phone": "✆",
    "pin": "📌", "plus": "+", "questionmark": "?", "sailboat": "⛵", "scooter": "🛴", "square": "■",
    "star": "★", "sun.max": "☀", "tent": "⛺", "toilet": "🚻", "tram": "🚊", "trash": "🗑", "tree": "🌳",
    "triangle": "▲", "umbrella": "☂", "wifi": "📶", "wrench": "🔧", "xmark": "×",
  ]
}
