/// How a machine moves along, and so how far it may soon be from where it is.
enum MotionMode: CaseIterable {
  case staying, walking, riding

  /// Metres per second, on each axis.
  var pace: Double {
    switch self {
    case .staying: 0
    case .walking: 1.3
    case .riding: 10
    }
  }

  /// Seconds for which it goes on as it goes.
  var persistence: Double { self == .riding ? 20 : 60 }

  /// Square metres a second, from room to room without setting off.
  var wandering: Double { self == .staying ? 1 : 0 }

  /// How likely it has come to that one after some seconds. Most ways begin and end on foot.
  func becomes(_ other: MotionMode, after seconds: Double) -> Double {
    let mean = self == .staying ? Self.meanStay : Self.meanWay
    let stays = mean / (mean + seconds)
    if self == other { return stays }
    return (1 - stays) * (other == .riding ? Self.rides : 1 - Self.rides)
  }

  private static let rides = 0.3
  private static let meanStay = 1800.0
  private static let meanWay = 600.0
}
