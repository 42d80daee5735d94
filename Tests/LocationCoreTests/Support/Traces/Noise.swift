import Glibc
import TestSupport

extension Dice {
  /// From a normal distribution.
  mutating func normal() -> Double {
    let a = Double.random(in: 0x1p-53...1, using: &self)
    let b = Double.random(in: 0...(2 * .pi), using: &self)
    return (-2 * log(a)).squareRoot() * cos(b)
  }

  mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

  mutating func chance(_ share: Double) -> Bool { number(0...1) < share }

  /// In any direction.
  mutating func spot(_ distance: ClosedRange<Double>) -> Spot {
    let angle = number(0...(2 * .pi))
    let distance = number(distance)
    return Spot(north: distance * cos(angle), east: distance * sin(angle))
  }
}

/// An error that lasts: autoregressive, as those of receivers are.
struct Drift {
  /// In units of the deviation.
  private var error: Spot
  private let lasts: Double

  init(lasting seconds: Double, _ dice: inout Dice) {
    lasts = seconds
    error = Spot(north: dice.normal(), east: dice.normal())
  }

  mutating func after(_ seconds: Double, _ dice: inout Dice) -> Spot {
    let share = exp(-seconds / lasts)
    let new = (1 - share * share).squareRoot()
    error = error * share + Spot(north: dice.normal(), east: dice.normal()) * new
    return error
  }
}
