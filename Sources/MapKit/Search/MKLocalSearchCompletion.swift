public import Foundation
import LocationModel

/// One line under a search field.
// Unchecked: it holds constants; its ranges are values in Foundation's boxes.
open class MKLocalSearchCompletion: NSObject, @unchecked Sendable {
  public let title: String
  public let subtitle: String
  /// The parts of the title that match what was typed: `NSRange` in `NSValue`.
  public let titleHighlightRanges: [NSValue]
  public let subtitleHighlightRanges: [NSValue] = []
  let id: String

  init(_ completion: Completion) {
    title = completion.title
    subtitle = completion.subtitle
    id = completion.id
    let length = completion.title.utf16.count
    titleHighlightRanges = completion.titleHighlights.filter { $0.upperBound <= length }.map {
      NSValue(range: NSRange($0))
    }
  }
}
