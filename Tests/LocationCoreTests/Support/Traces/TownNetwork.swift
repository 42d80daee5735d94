import Glibc
import LocationModel
import TestSupport

/// A network of a made-up town.
struct TownNetwork {
  var address: UInt64
  /// Nil for a hotspot that the person carries.
  var place: Spot?
  var strength: Double

  /// Nil where it is too weak to be heard.
  func heard(at place: Spot, _ dice: inout Dice) -> HeardNetwork? {
    guard let signal = signal(at: place, &dice), signal > -90 + 1.5 * dice.normal() else {
      return nil
    }
    return HeardNetwork(address: address, name: "a".utf8, signal: min(signal.rounded(), -20))
  }

  /// The signal follows the distance, a shadow that belongs to the place, and noise.
  private func signal(at place: Spot, _ dice: inout Dice) -> Double? {
    let distance = max(1, self.place.map { ($0 - place).length } ?? 1)
    guard distance < 400 else { return nil }
    let cell = UInt64((place.north + 1e5) / 25) << 20 + UInt64((place.east + 1e5) / 25)
    var shadow = Dice(seed: address << 8 ^ cell &* 0x9E37_79B9)
    return strength - 33 * log10(distance) + 7 * shadow.normal() + 3 * dice.normal()
  }
}
