public import Foundation
import LocationModel

/// One line under a search field.
// Unchecked: nothing of it changes once it is made; its ranges are values in Foundation's boxes.
open class MKLocalSearchCompletion: NSObject, @unchecked Sendable {
  open internal(set) var title = ""
  open internal(set) var subtitle = ""
  /// The parts of the title that match what was typed: `NSRange` in `NSValue`.
  open internal(set) var titleHighlightRanges: [NSValue] = []
  open internal(set) var subtitleHighlightRanges: [NSValue] = []
  /// Empty where the service has not said it.
  private(set) final var id = ""

  /// For subclasses that say a line themselves.
  public override init() {}

  convenience init(_ completion: Completion) {
    self.init()
    title = completion.title
    subtitle = completion.subtitle
    id = completion.id
    let length = completion.title.utf16.count
    titleHighlightRanges = completion.titleHighlights.filter { $0.upperBound <= length }.map {
      NSValue(range: NSRange($0))
    }
  }
}
