/// One app's registrations, whether it runs or not: how much, and no place.
package struct MonitorStatus: Equatable, Sendable {
  package var app: String
  package var uid: UInt32
  package var regions = 0
  package var significant = false
  package var visits = false
  /// Events that it has not acknowledged.
  package var waiting = 0
  /// Its unit is off, and nothing starts it: nothing is powered for it.
  package var isResting = false

  package init(app: String, uid: UInt32) {
    self.app = app
    self.uid = uid
  }
}

extension MonitorStatus {
  var json: JSON {
    [
      "app": .string(app), "uid": .integer(Int64(uid)), "regions": .integer(Int64(regions)),
      "significant": .bool(significant), "visits": .bool(visits),
      "waiting": .integer(Int64(waiting)), "resting": isResting ? .bool(true) : nil,
    ]
  }

  init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let uid = json["uid"]?.integer.flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(app: app, uid: uid)
    regions = json.count("regions")
    significant = json["significant"]?.bool ?? false
    visits = json["visits"]?.bool ?? false
    waiting = json.count("waiting")
    isResting = json["resting"]?.bool ?? false
  }
}
