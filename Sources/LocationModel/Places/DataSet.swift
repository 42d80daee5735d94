/// A file of places on this disk.
package struct DataSet: Equatable, Sendable {
  /// `world`, or the name of an imported extract.
  package var name: String
  /// The day of the data, such as 2026-11-24.
  package var date: String
  package var licence: String
  /// The words that have to stand where the data is shown.
  package var attribution: String
  package var places: Int
  /// The corners in the south-west and the north-east; nil for the whole Earth.
  package var coverage: [Coordinate]?
  /// Why it cannot be used; nil where it can.
  package var trouble: String?
  /// Parts that an older import has not made, such as `roads`.
  package var lacks: [String] = []

  package init(
    name: String, date: String, licence: String, attribution: String, places: Int,
    coverage: [Coordinate]? = nil, trouble: String? = nil
  ) {
    self.name = name
    self.date = date
    self.licence = licence
    self.attribution = attribution
    self.places = places
    self.coverage = coverage
    self.trouble = trouble
  }

  package var json: JSON {
    [
      "name": .string(name), "date": .string(date), "licence": .string(licence),
      "attribution": .string(attribution), "places": .integer(Int64(places)),
      "coverage": coverage.map {
        .array($0.map(\.pair))
      },
      "trouble": trouble.map(JSON.string),
      "lacks": lacks.isEmpty ? nil : .array(lacks.map(JSON.string)),
    ]
  }

  /// Nil without a name.
  init?(_ json: JSON) {
    guard let name = json["name"]?.string else { return nil }
    self.init(
      name: name, date: json["date"]?.string ?? "", licence: json["licence"]?.string ?? "",
      attribution: json["attribution"]?.string ?? "", places: json.count("places"),
      coverage: json.list("coverage", Coordinate.init(pair:)), trouble: json["trouble"]?.string)
    lacks = json.list("lacks", \.string) ?? []
  }
}
