import LocationModel

/// The lines that `watch` draws on a terminal, always at the same place.
struct Panel {
  var location: Location?
  var heading: Heading?
  /// The place in words, and empty where it is unknown; nil where nobody wants it.
  var name: String?
  /// Seconds since that came.
  var age = 0.0
  var updates = 0
  /// Why there is none, or no newer one.
  var trouble: [String] = []
  var columns = 80
  var hasColour = true

  static let height = 17

  /// Exactly `height` lines, none wider than the terminal.
  var lines: [String] {
    let reason = trouble.flatMap { $0.plain().wrapped(to: max(20, columns - 3)) }.map {
      "  " + dim($0)
    }
    var lines = ["", location == nil ? "  \(bold("Waiting for a location"))" : title]
    if let location {
      lines += (isStale ? reason : []) + [""] + rows(location)
    } else {
      lines += [""] + reason
    }
    while lines.count < Self.height - 2 { lines.append("") }
    return Array(lines.prefix(Self.height - 2)) + ["", "  \(dim("Ctrl-C ends"))"]
  }

  /// Why none comes is known before it is missed.
  private var isStale: Bool { age > 5 || !trouble.isEmpty }

  private var title: String {
    let word =
      isStale ? coloured("no news for \(Describe.age(age))", .yellow) : coloured("live", .green)
    return "  \(bold("Location"))  \(word)  \(dim(isStale ? "" : "\(Count(updates, "update"))"))"
  }

  private func rows(_ location: Location) -> [String] {
    var rows = [
      row("place", bold(Describe.place(location.coordinate))),
      row("accuracy", "± \(accuracy(location.horizontalAccuracy))"),
    ]
    if let name {
      let words = name.plain(atMost: max(1, min(columns, 80) - 14))
      rows.insert(row("name", words.isEmpty ? unknown : words), at: 1)
    }
    let altitude = location.altitude.map { height in
      "\(Describe.metres(height))"
        + (location.verticalAccuracy.map { "  ± \(Describe.metres($0))" } ?? "")
    }
    rows.append(row("altitude", altitude ?? unknown))
    rows.append(row("speed", location.speed.map(Describe.speed) ?? unknown))
    rows.append(
      row(
        "course",
        location.course.map {
          "\(bold(Describe.arrow($0)))  \(Describe.fixed($0, 0))°  \(Describe.compass($0))"
        } ?? unknown))
    if let heading { rows.append(row("heading", Self.direction(heading))) }
    rows.append(row("age", Describe.age(age)))
    rows.append(row("time", Describe.time(location.timestamp)))
    rows.append(row("source", Describe.source(location).plain(atMost: max(1, columns - 14))))
    return rows
  }

  private static func direction(_ heading: Heading) -> String {
    let parts = [
      heading.trueHeading.map { "\(Describe.arrow($0))  \(Describe.fixed($0, 0))° true" },
      heading.magneticHeading.map { "\(Describe.fixed($0, 0))° magnetic" },
      heading.accuracy.map { "± \(Describe.fixed($0, 0))°" },
    ]
    return parts.compactMap { $0 }.joined(separator: "  ")
  }

  private func row(_ name: String, _ value: String) -> String {
    "  \(dim(name.padded(to: 10))) \(value)"
  }

  private var unknown: String { dim("unknown") }

  private func accuracy(_ metres: Double) -> String {
    coloured(Describe.metres(metres), metres <= 10 ? .green : metres <= 50 ? .yellow : .red)
  }
}

extension Panel {
  private enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33
  }

  private func styled(_ text: String, _ code: Int) -> String {
    hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private func bold(_ text: String) -> String { styled(text, 1) }
  private func dim(_ text: String) -> String { styled(text, 2) }
  private func coloured(_ text: String, _ colour: Colour) -> String {
    styled(text, colour.rawValue)
  }
}
