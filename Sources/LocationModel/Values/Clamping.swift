/// Arithmetic on foreign numbers: a result that does not fit becomes the nearest one that does.
extension Int64 {
  @inlinable package func adding(clamping other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable package func subtracting(clamping other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  @inlinable package func multiplied(clamping factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
  }

  /// 0 for what is no number.
  package init(nanosecondsIn seconds: Double) {
    let nanoseconds = seconds * 1e9
    let bound = 0x1p63
    self = nanoseconds >= bound ? .max : nanoseconds > -bound ? Int64(nanoseconds) : .min
    if nanoseconds.isNaN { self = 0 }
  }
}
