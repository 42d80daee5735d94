/// A moment since the machine started, suspend included. Order, freshness and timers go by it.
package struct Boottime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static let start = Boottime(nanoseconds: 0)
  package static let never = Boottime(nanoseconds: .max)

  @inlinable package static func == (a: Self, b: Self) -> Bool { a.nanoseconds == b.nanoseconds }
  @inlinable package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

  // The result ends at the first or the last moment there is.
  @inlinable package static func + (a: Self, b: Duration) -> Self {
    Self(nanoseconds: a.nanoseconds.adding(clamping: b.nanoseconds))
  }

  @inlinable package static func - (a: Self, b: Duration) -> Self { a + (.zero - b) }

  @inlinable package static func - (a: Self, b: Self) -> Duration {
    .nanoseconds(a.nanoseconds.subtracting(clamping: b.nanoseconds))
  }

  @inlinable package func seconds(since other: Self) -> Double {
    Double(nanoseconds.subtracting(clamping: other.nanoseconds)) / 1e9
  }

  @inlinable package static func += (a: inout Self, b: Duration) { a = a + b }
}

extension Duration {
  /// Seconds of any size; zero for what is no number.
  package init(clamping seconds: Double) {
    let nanoseconds = seconds * 1e9
    let bound = 0x1p63
    self = .nanoseconds(
      nanoseconds >= bound ? .max : nanoseconds > -bound ? Int64(nanoseconds) : .min)
    if nanoseconds.isNaN { self = .zero }
  }

  /// In whole nanoseconds; the most that can be counted for more than that.
  // By Swift's `components`, which go through generic code, each would take twice as long.
  @inlinable package var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

  @inlinable package var microseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }

  @inlinable package var seconds: Double { Double(nanoseconds) / 1e9 }

  @inlinable package var magnitude: Duration { self < .zero ? .zero - self : self }

  // Swift's own go through generic code in 128 bits, which is slow on the way of a fix.
  @inlinable package static func * (a: Self, b: Int) -> Self {
    .nanoseconds(a.nanoseconds.multiplied(clamping: Int64(b)))
  }

  @inlinable package static func / (a: Self, b: Int) -> Self {
    .nanoseconds(a.nanoseconds / Int64(b))
  }
}
