package import Foundation

/// A picture for maps.
package enum MapPicture {
  /// A PNG of one colour, 24 by 32 points.
  package static let pink = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAABgAAAAgCAYAAAAIXrg4AAAAKklEQVR42u3NMQ0AAAgDsMlGIq5ABQdJj95Np+ZSBAKBQCAQ"
      + "CAQCwZdgAZVmvVuzFMjzAAAAAElFTkSuQmCC")
}
