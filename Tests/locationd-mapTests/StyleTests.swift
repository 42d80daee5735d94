import Foundation
import PlaceCore
import TestSupport
import Testing

/// The table of the page by which the ground is drawn.
@Suite("The style of the ground") struct StyleTests {
  private let text: String

  init() throws {
    let file = Checkout.path + "/Sources/locationd-map/Page/style.js"
    text = try String(contentsOfFile: file, encoding: .utf8)
  }

  /// The rows of a table, by their first words.
  private func rows(of table: String) throws -> [(kind: String, cells: [Substring])] {
    let start = try #require(text.range(of: "const \(table) = table(`")).upperBound
    return text[start...].prefix { $0 != "`" }.split(separator: "\n").map { row in
      let words = row.split(separator: " ")
      return (String(words[0]), Array(words.dropFirst()))
    }
  }

  /// The colours of a kind, as they stand in its row: in light and in dark, of a road those of the casing after them.
  private func colours(_ kind: String, in table: String) throws -> [String] {
    let row = try #require(try rows(of: table).first { $0.kind == kind })
    return row.cells.filter { $0.hasPrefix("#") }.map { String($0.prefix(7)) }
  }

  private func luminance(_ colour: String) -> Double {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let value = Double(number >> shift & 255) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// By WCAG 2.
  private func contrast(_ a: String, _ b: String) -> Double {
    let (x, y) = (luminance(a), luminance(b))
    return (max(x, y) + 0.05) / (min(x, y) + 0.05)
  }

  @Test("the page knows features by the numbers that tiles have")
  func kinds() throws {
    let start = try #require(text.range(of: "...('")).upperBound
    let named = text[start...].prefix { $0 != ")" }.filter { !"'+\n".contains($0) }
    let drawn = try ["areas", "lines"].flatMap { try rows(of: $0).map(\.kind) }
    let words = drawn + named.split(separator: " ").map(String.init)
    #expect(words == GroundKind.allCases.map { "\($0)" })
  }

  @Test("text is read on its halo, and land is told from water, in light and in dark")
  func contrasts() throws {
    let (land, water) = (try colours("land", in: "areas"), try colours("water", in: "areas"))
    let shore = try colours("shore", in: "lines")
    for shade in 0..<2 {
      #expect(contrast(land[shade], water[shade]) >= 1.3, "land and water, \(shade)")
      #expect(contrast(shore[shade], water[shade]) >= 1.7, "shore and water, \(shade)")
      let speeds = (0..<5).map { "speed\($0)" }
      for line in ["trail", "way", "quiet", "inside", "outside", "unknown"] + speeds {
        let colour = try colours(line, in: "colours")[shade]
        #expect(contrast(colour, land[shade]) >= 3, "\(line), \(shade)")
      }
      #expect(try colours("halo", in: "colours")[shade] == land[shade])
      for ink in [
        "place", "street", "quiet", "water", "park", "transit", "culture", "food", "shop", "health",
      ] {
        let colour = try colours(ink, in: "colours")[shade]
        #expect(contrast(colour, land[shade]) >= 4.5, "\(ink), \(shade)")
      }
      for kind in ["wood", "grass", "building"] {
        #expect(
          try contrast(colours(kind, in: "areas")[shade], land[shade]) >= 1.1, "\(kind), \(shade)")
      }
      for kind in ["motorway", "primary", "minor"] {
        let colours = try colours(kind, in: "lines")
        #expect(contrast(colours[shade], colours[2 + shade]) >= 1.3, "\(kind), \(shade)")
      }
    }
  }
}
