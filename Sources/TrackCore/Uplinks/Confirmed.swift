import LocationModel

/// The entries of the track that a server has confirmed, by their numbers: ranges with gaps between them.
package struct Confirmed: Equatable, Sendable {
  /// In order, never touching.
  package private(set) var ranges: [ClosedRange<Int64>] = []

  package init() {}

  package func contains(_ number: Int64) -> Bool {
    let i = index(after: number)
    return i > 0 && ranges[i - 1].upperBound >= number
  }

  package mutating func insert(_ range: ClosedRange<Int64>) {
    var (low, high) = (range.lowerBound, range.upperBound)
    var i = index(after: low)
    // The one before may reach it.
    if i > 0, ranges[i - 1].upperBound >= low - 1 { i -= 1 }
    var end = i
    while end < ranges.count, ranges[end].lowerBound <= high.adding(1) {
      low = min(low, ranges[end].lowerBound)
      high = max(high, ranges[end].upperBound)
      end += 1
    }
    ranges.replaceSubrange(i..<end, with: [low...high])
  }

  package mutating func remove(_ number: Int64) {
    let i = index(after: number) - 1
    guard i >= 0, ranges[i].upperBound >= number else { return }
    let (low, high) = (ranges[i].lowerBound, ranges[i].upperBound)
    var rest: [ClosedRange<Int64>] = []
    if low < number { rest.append(low...number - 1) }
    if number < high { rest.append(number + 1...high) }
    ranges.replaceSubrange(i...i, with: rest)
  }

  /// All numbers up to this one.
  package var start: Int64 { ranges.first.map { $0.lowerBound == 1 ? $0.upperBound : 0 } ?? 0 }

  /// The first numbers that are missing, `most` of them at most, up to `newest`.
  func oldestGap(upTo newest: Int64, most: Int64) -> ClosedRange<Int64>? {
    let isFromStart = ranges.first?.lowerBound == 1
    let start = isFromStart ? ranges[0].upperBound + 1 : 1
    let next =
      isFromStart ? (ranges.count > 1 ? ranges[1].lowerBound : nil) : ranges.first?.lowerBound
    let end = min(newest, (next ?? .max) - 1)
    guard start <= end else { return nil }
    return start...min(end, start + most - 1)
  }

  /// The last of them.
  func newestGap(upTo newest: Int64, most: Int64) -> ClosedRange<Int64>? {
    var end = newest
    for range in ranges.reversed() where range.lowerBound <= end {
      guard range.upperBound >= end else {
        return max(range.upperBound + 1, end - most + 1)...end
      }
      end = range.lowerBound - 1
    }
    return end >= 1 ? max(1, end - most + 1)...end : nil
  }

  /// How many of the numbers up to `newest` are missing.
  package func missing(upTo newest: Int64) -> Int64 {
    newest - ranges.reduce(0) { $0 + max(0, min($1.upperBound, newest) - $1.lowerBound + 1) }
  }

  /// The first range that begins after a number.
  private func index(after number: Int64) -> Int {
    ranges.partitioningIndex { $0.lowerBound > number }
  }
}

extension Confirmed {
  /// As `1-500,700-900`.
  package var text: String {
    ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }

  /// No track has so many entries.
  package static let end: Int64 = 1 << 53

  /// Nil where it is none.
  package init?(text: String) {
    for part in text.split(separator: ",") {
      let bounds = part.split(separator: "-").compactMap { Int64($0) }
      guard bounds.count == 2, 1 <= bounds[0], bounds[0] <= bounds[1], bounds[1] < Self.end
      else {
        return nil
      }
      insert(bounds[0]...bounds[1])
    }
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
