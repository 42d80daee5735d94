/// A question for accesses: of one app or of all, of one user or of all whom the caller may see.
package struct HistoryQuery: Equatable, Sendable {
  package var app: String?
  /// Days back, with today.
  package var days: Int
  package var uid: UInt32?

  package static let mostDays = 30

  package init(app: String? = nil, days: Int = HistoryQuery.mostDays, uid: UInt32? = nil) {
    self.app = app
    self.days = days
    self.uid = uid
  }
}

extension HistoryQuery {
  static let parameters: [Parameter<Self>] = [
    .text("app", \.app),
    Parameter(
      "days", \.days, { (given) in { (name) throws(Refusal) in try given.days(name) } },
      { .integer(Int64($0)) }), .uid(\.uid),
  ]
}

extension Parameters {
  fileprivate func days(_ name: String) throws(Refusal) -> Int? {
    try whole(name, 1...Int64(HistoryQuery.mostDays)).map { Int($0) }
  }
}

extension AppAccess {
  /// Seconds are whole.
  package var json: JSON {
    [
      "app": .string(app), "uid": .integer(Int64(uid)), "day": .string(Timestamp(day: day).dayText),
      "service": .string(kind.service.rawValue), "accuracy": .string(kind.accuracy.rawValue),
      "background": .bool(kind.isBackground), "accesses": .integer(Int64(tally.accesses)),
      "seconds": .integer(Int64(tally.seconds.rounded())), "first": .string(tally.first.iso8601),
      "last": .string(tally.last.iso8601), "name": claim.name.map(JSON.string),
      "purpose": claim.purpose.map(JSON.string),
    ]
  }

  /// A newer daemon may know other services.
  package init?(_ json: JSON) {
    guard let app = json["app"]?.string,
      let uid = json["uid"]?.integer.flatMap(UInt32.init(exactly:)),
      let day = json["day"]?.string.flatMap({ Timestamp(iso8601: $0 + "T00:00:00Z") })?.dayNumber,
      let service: Service = json.word("service"),
      let accuracy: AccuracyAuthorization = json.word("accuracy"),
      let first = json["first"]?.string.flatMap(Timestamp.init(iso8601:)),
      let last = json["last"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    let kind = Kind(service, accuracy, isBackground: json["background"]?.bool ?? false)
    var tally = Tally(at: first)
    tally.last = last
    tally.accesses = json.count("accesses")
    tally.seconds = json["seconds"]?.double ?? 0
    self.init(app: app, uid: uid, day: day, kind: kind, tally: tally)
    claim = AppClaim(name: json["name"]?.string, purpose: json["purpose"]?.string)
  }
}
