public import Foundation

/// A colour of a marker or line. UIKit is not here; a map's colours have its name, so that code for iPhones stays as
/// it is.
public final class UIColor: NSObject, Sendable {
  let red: Double
  let green: Double
  let blue: Double
  let alpha: Double

  /// Each from 0 to 1.
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    func part(_ value: CGFloat) -> Double { value >= 0 ? min(Double(value), 1) : 0 }
    self.red = part(red)
    self.green = part(green)
    self.blue = part(blue)
    self.alpha = part(alpha)
  }

  /// Each from 0 to 1.
  public convenience init(
    hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat
  ) {
    func part(_ shift: CGFloat) -> CGFloat {
      let place = (shift + hue * 6).truncatingRemainder(dividingBy: 6)
      return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
    }
    self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
  }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  private convenience init(_ hex: Int) {
    func part(_ shift: Int) -> CGFloat { CGFloat(hex >> shift & 255) / 255 }
    self.init(red: part(16), green: part(8), blue: part(0), alpha: 1)
  }

  public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
    UIColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// Says its parts, each from 0 to 1; true, since every colour here has them.
  @discardableResult
  public func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    red?.pointee = CGFloat(self.red)
    green?.pointee = CGFloat(self.green)
    blue?.pointee = CGFloat(self.blue)
    alpha?.pointee = CGFloat(self.alpha)
    return true
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UIColor).map { $0.words == words } ?? false
  }

  public override var hash: Int { words.hashValue }

  /// As a style sheet has it.
  var words: String {
    func part(_ value: Double) -> Int { Int((value * 255).rounded()) }
    return "rgba(\(part(red)),\(part(green)),\(part(blue)),\((alpha * 1000).rounded() / 1000))"
  }

  public static let black = UIColor(0x000000)
  public static let darkGray = UIColor(0x555555)
  public static let gray = UIColor(0x808080)
  public static let lightGray = UIColor(0xAAAAAA)
  public static let white = UIColor(0xFFFFFF)
  public static let red = UIColor(0xFF0000)
  public static let green = UIColor(0x00FF00)
  public static let blue = UIColor(0x0000FF)
  public static let cyan = UIColor(0x00FFFF)
  public static let magenta = UIColor(0xFF00FF)
  public static let yellow = UIColor(0xFFFF00)
  public static let orange = UIColor(0xFF8000)
  public static let purple = UIColor(0x800080)
  public static let brown = UIColor(0x996633)
  public static let clear = UIColor(white: 0, alpha: 0)
  public static let systemRed = UIColor(0xFF3B30)
  public static let systemOrange = UIColor(0xFF9500)
  public static let systemYellow = UIColor(0xFFCC00)
  public static let systemGreen = UIColor(0x34C759)
  public static let systemMint = UIColor(0x00C7BE)
  public static let systemCyan = UIColor(0x32ADE6)
  public static let systemTeal = UIColor(0x30B0C7)
  public static let systemBlue = UIColor(0x007AFF)
  public static let systemIndigo = UIColor(0x5856D6)
  public static let systemPurple = UIColor(0xAF52DE)
  public static let systemPink = UIColor(0xFF2D55)
  public static let systemBrown = UIColor(0xA2845E)
  public static let systemGray = UIColor(0x8E8E93)
  public static let systemGray2 = UIColor(0xAEAEB2)
  public static let systemGray3 = UIColor(0xC7C7CC)
  public static let systemGray4 = UIColor(0xD1D1D6)
  public static let systemGray5 = UIColor(0xE5E5EA)
  public static let systemGray6 = UIColor(0xF2F2F7)
  public static let label = UIColor.black
  public static let secondaryLabel = UIColor(red: 0.24, green: 0.24, blue: 0.26, alpha: 0.6)
  public static let systemBackground = UIColor.white
  public static let secondarySystemBackground = systemGray6
  public static let separator = UIColor(red: 0.24, green: 0.24, blue: 0.26, alpha: 0.29)
  public static let link = systemBlue
  public static let tintColor = systemBlue
}

/// Colours as an editor writes them in the code.
extension UIColor: _ExpressibleByColorLiteral {
  public convenience init(
    _colorLiteralRed red: Float, green: Float, blue: Float, alpha: Float
  ) {
    self.init(
      red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: CGFloat(alpha))
  }
}

/// Room along the edges of a map.
public typealias UIEdgeInsets = NSEdgeInsets
