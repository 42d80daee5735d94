package import LocationModel

/// The words of `track status` about the settings that a server has sent.
package struct SettingsReport: Equatable, Sendable {
  package let json: JSON

  init(_ json: JSON) { self.json = json }

  package var uplink: String { json["uplink"]?.string ?? "" }
  package var line: String { Self.line(json) }
  package var isReturned: Bool { json["state"]?.string == "returned" }
  /// The rest of a trial; nil where they stay.
  package var secondsLeft: Int64? { json["secondsLeft"]?.integer }
  /// The last that were taken back, and when.
  package var returned: (line: String, date: Timestamp)? {
    guard let json = json["returned"],
      let date = json["date"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    return (Self.line(json), date)
  }

  private static func line(_ json: JSON) -> String {
    ServerSettings(json)?.line.plain() ?? ""
  }
}
