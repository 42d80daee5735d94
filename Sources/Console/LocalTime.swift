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

  /// The first and the last moment here of a day, as 2026-11-24.
  package static func day(_ text: String) -> (start: Timestamp, end: Timestamp)? {
    Timestamp(iso8601: text + "T00:00:00Z").map {
      (midnight($0), midnight($0 + .seconds(86_400)) - .microseconds(1))
    }
  }

  /// The local midnight that begins this date of UTC.
  private static func midnight(_ day: Timestamp) -> Timestamp {
    var fields = tm()
    fields.tm_year = Int32(clamping: day.date.year - 1900)
    fields.tm_mon = Int32(clamping: day.date.month - 1)
    fields.tm_mday = Int32(clamping: day.date.day)
    fields.tm_isdst = -1
    return Timestamp(microseconds: Int64(mktime(&fields)) * 1_000_000)
  }

  /// Without the day.
  package static func clock(_ moment: Timestamp) -> String {
    text(moment, "%H:%M") ?? moment.iso8601
  }
}
