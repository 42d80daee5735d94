internal import Glibc
package import LocationModel

/// Moments by the clock on the wall.
package enum LocalTime {
  /// `format` as of strftime; nil where the machine does not say what time it is here.
  package static func text(_ moment: Timestamp, _ format: String) -> String? {
    var seconds = time_t(moment.microseconds / 1_000_000)
    var parts = tm()
    var bytes = [CChar](repeating: 0, count: 64)
    guard localtime_r(&seconds, &parts) != nil,
      strftime(&bytes, bytes.count, format, &parts) > 0
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Without the day.
  package static func clock(_ moment: Timestamp) -> String {
    text(moment, "%H:%M") ?? moment.iso8601
  }
}
