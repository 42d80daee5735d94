/// How long to wait before something lost is looked for again: shortly at first, never longer than the
/// last one.
package struct Pauses {
  private var tried = 0

  private static let all: [Duration] = [
    .milliseconds(100), .milliseconds(250), .milliseconds(500), .seconds(1),
  ]

  package init() {}

  package mutating func next() -> Duration {
    defer { tried = min(tried + 1, Self.all.count - 1) }
    return Self.all[tried]
  }

  /// It was found, and has spoken.
  package mutating func reset() { tried = 0 }
}
