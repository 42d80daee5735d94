import Console
import LocationModel
import TrackCore

/// The track as a person reads it.
enum TrackReport {
  static func status(_ json: JSON, _ asJSON: Bool) throws(Failure) {
    if asJSON { return try Output.write(json) }
    var lines = ["\(Count(json["entries"]?.integer ?? 0, "entry")) kept"]
    if let mended = json["mended"]?.string { lines.append("! \(mended)") }
    if let trouble = json["trouble"]?.string { lines.append("! \(trouble)") }
    for uplink in json["uplinks"]?.array ?? [] {
      lines.append("")
      lines.append("Uplink \(uplink["name"]?.string ?? "")")
      let backlog = uplink["backlog"]?.integer ?? 0
      let confirmed = uplink["lastConfirmation"]?.string.flatMap(Timestamp.init(iso8601:))
      lines.append(
        "  \(backlog == 0 ? "has all" : "\(Count(backlog, "entry")) to send")"
          + (confirmed.map { ", confirmed last at \(Describe.localTime($0))" } ?? ""))
      if let parked = uplink["parked"]?.integer, parked > 0 {
        lines.append("  \(Count(parked, "entry")) refused for good")
      }
      let waypoints =
        json["waypoints"]?.array?
        .filter { $0["uplink"] != nil && $0["uplink"] == uplink["name"] }
        .compactMap { $0["name"]?.string } ?? []
      if !waypoints.isEmpty {
        lines.append("  waypoints that it has set: \(waypoints.joined(separator: ", "))")
      }
      if let refused = uplink["commands"]?["refused"]?.integer, refused > 0 {
        let why = uplink["commands"]?["lastRefusal"]?.string ?? ""
        lines.append("  \(Count(refused, "command")) not followed; the last: \(why)")
      }
      if let waits = uplink["waits"]?.string { lines.append("  \(waits)") }
      if let long = uplink["longMessages"]?.integer {
        lines.append("  \(Count(long, "message")) too long to be read")
      }
      if let caution = uplink["caution"]?.string { lines.append("  \(caution)") }
      if let budget = uplink["budget"], let used = budget["used"]?.integer,
        let bytes = budget["bytes"]?.integer
      {
        lines.append(
          "  \(used / 1024) of \(bytes / 1024) KiB sent this \(budget["period"]?.string ?? "")")
      }
      if let trouble = uplink["trouble"]?.string { lines.append("  ! \(trouble)") }
    }
    try Output.write(lines)
  }

  static func list(_ stretches: [TripList.Stretch]) throws(Failure) {
    guard !stretches.isEmpty else { return try Output.write("no trips and no stays") }
    try Output.write(stretches.map(line))
  }

  private static func line(_ stretch: TripList.Stretch) -> String {
    switch stretch {
    case .trip(let trip):
      let time = trip.end.timestamp - trip.start.timestamp
      return "\(Describe.localTime(trip.start.timestamp))  trip  \(Describe.age(time.seconds)),"
        + " \(kilometres(trip.distance)), up to \(Describe.speed(trip.topSpeed))"
    case .stay(let stay):
      let time = stay.departure - stay.arrival
      return "\(Describe.localTime(stay.arrival))  stay  \(Describe.age(time.seconds)) at"
        + " \(Describe.place(stay.coordinate))"
    }
  }

  static func stats(_ stretches: [TripList.Stretch]) throws(Failure) {
    var days: [(day: String, trips: Int, distance: Double, time: Double)] = []
    for case .trip(let trip) in stretches {
      let day = String(Describe.localTime(trip.start.timestamp).prefix(10))
      if days.last?.day != day { days.append((day, 0, 0, 0)) }
      days[days.count - 1].trips += 1
      days[days.count - 1].distance += trip.distance
      days[days.count - 1].time += (trip.end.timestamp - trip.start.timestamp).seconds
    }
    guard !days.isEmpty else { return try Output.write("no trips") }
    try Output.write(
      days.map {
        "\($0.day)  \(Count($0.trips, "trip")), \(kilometres($0.distance)), \(Describe.age($0.time))"
      })
  }

  private static func kilometres(_ metres: Double) -> String {
    "\(Describe.fixed(metres / 1000, 1)) km"
  }
}
