/// The name of a time zone, as Europe/Vienna.
package struct ZoneName: Sendable {
  package let text: String

  /// The name by the path of the zone's file; nil for a file of no zone.
  package init?(ofFile path: String) {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    text = parts[(folder + 1)...].joined(separator: "/")
  }
}
