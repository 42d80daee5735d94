import LocationModel
import PlaceCore

/// The ways that the service has found, the best one first.
struct Routes {
  var routes: [Route]
  /// The words that have to stand where the data is shown.
  var attribution: String

  init(_ routes: [Route], attribution: String = openStreetMap) {
    (self.routes, self.attribution) = (routes, attribution)
  }

  /// Whose roads all engines know.
  static let openStreetMap = "© OpenStreetMap contributors, ODbL"
}

/// Ways as a table that a person follows: number, what to do, and how far it is from there.
struct RouteReport {
  private let found: Routes
  private let language: Language?

  /// No line is wider.
  static let columns = 80

  init(_ found: Routes, _ locale: String?) {
    self.found = found
    language = locale.flatMap { Language($0) }
  }

  var lines: [String] {
    var lines: [String] = []
    for (i, route) in found.routes.enumerated() {
      if i > 0 { lines.append("") }
      let number = found.routes.count > 1 ? "\(i + 1). " : ""
      lines += (number + title(route)).plain(atMost: 400).wrapped(to: Self.columns)
      lines += table(route)
      for advisory in route.advisories {
        lines += "! \(advisory)".plain(atMost: 400).wrapped(to: Self.columns)
      }
    }
    return lines + ["", found.attribution.plain(atMost: Self.columns)]
  }

  private func title(_ route: Route) -> String {
    let means =
      switch route.transport {
      case .automobile: "by car"
      case .walking: "on foot"
      case .cycling: "by bicycle"
      }
    let name = route.name.isEmpty ? "" : ", \(route.name)"
    return "\(written(route.distance)), \(time(route.expectedTravelTime)) \(means)\(name)"
  }

  private func table(_ route: Route) -> [String] {
    let lengths = route.steps.map { $0.distance >= 1 ? written($0.distance) : "" }
    let widest = lengths.map(\.columns).max() ?? 0
    let digits = "\(route.steps.count)".count
    let room = max(20, Self.columns - digits - widest - 6)
    var lines: [String] = []
    for (i, step) in route.steps.enumerated() {
      let parts = step.instructions.plain(atMost: 1000).wrapped(to: room)
      let number = String(repeating: " ", count: digits - "\(i + 1)".count) + "\(i + 1)"
      for (j, part) in parts.enumerated() {
        let start = j == 0 ? "  \(number)  " : String(repeating: " ", count: digits + 4)
        guard j == parts.count - 1, !lengths[i].isEmpty else {
          lines.append(start + part)
          continue
        }
        let gap = String(repeating: " ", count: max(0, widest - lengths[i].columns))
        lines.append(start + part.padded(to: room) + "  " + gap + lengths[i])
      }
    }
    return lines
  }

  /// With a space that a terminal shows.
  private func written(_ metres: Double) -> String {
    let text = DistanceText.text(
      metres, language: language?.code ?? "en",
      units: DistanceText.Units(region: language?.region))
    return String(text.map { $0 == "\u{A0}" ? " " : $0 })
  }

  private func time(_ seconds: Double) -> String {
    let seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
    let minutes = max(1, Int64((seconds / 60).rounded()))
    let (hour, minute) =
      switch language?.code {
      case "ko": ("시간", "분")
      case "ja": ("時間", "分")
      case "zh": ("小时", "分钟")
      default: (" h", " min")
      }
    if minutes < 60 { return "\(minutes)\(minute)" }
    return "\(minutes / 60)\(hour)" + (minutes % 60 == 0 ? "" : " \(minutes % 60)\(minute)")
  }
}
