/// The factor by which radii hold what they promise, as far as good fixes tell.
package struct RadiusScale: Equatable, Sendable {
  package private(set) var factor: Double

  package init(_ factor: Double = 1) {
    self.factor = min(max(factor, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  /// An answer with a scaled radius was so far off a fix.
  mutating func check(_ error: Double, of radius: Double, byFixOf accuracy: Double) {
    let isWithin = error * error <= radius * radius + accuracy * accuracy
    self = RadiusScale(factor * (1 + Self.step * (isWithin ? Self.goal - 1 : Self.goal)))
  }

  private static let step = 0.03
  /// Places with fixes are better known than those without: 70 % here are 68 % in simulated towns.
  private static let goal = 0.7
  private static let bounds = 0.5...3.0
}
