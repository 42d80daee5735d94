/// How long to wait before something lost is looked for again: shortly at first, never longer than the
/// last one.
package struct Pauses {
  private var tried = 0

  /// In nanoseconds.
  private static let all: [Int64] = [100_000_000, 250_000_000, 500_000_000, 1_000_000_000]

  package init() {}

  package mutating func next() -> Int64 {
    defer { tried = min(tried + 1, Self.all.count - 1) }
    return Self.all[tried]
  }

  /// It was found, and has spoken.
  package mutating func reset() { tried = 0 }
}
