import DBus
import LocationModel
import Platform

/// The core's values, in the bus's types.
extension Location {
  /// The documentation's keys; what is unknown is left out.
  func write(into entries: inout some BusEntries) throws(BusError) {
    try entries.set("latitude", coordinate.latitude)
    try entries.set("longitude", coordinate.longitude)
    if let altitude { try entries.set("altitude", altitude) }
    if let ellipsoidalAltitude { try entries.set("ellipsoidalAltitude", ellipsoidalAltitude) }
    try entries.set("horizontalAccuracy", horizontalAccuracy)
    if let verticalAccuracy { try entries.set("verticalAccuracy", verticalAccuracy) }
    if let speed { try entries.set("speed", speed) }
    if let speedAccuracy { try entries.set("speedAccuracy", speedAccuracy) }
    if let course { try entries.set("course", course) }
    if let courseAccuracy { try entries.set("courseAccuracy", courseAccuracy) }
    try entries.set("timestamp", timestamp.microseconds)
    if !source.isEmpty { try entries.set("source", source) }
    try entries.set("simulated", simulated)
  }

  var busValue: BusValue {
    var dictionary = BusDictionary()
    try? write(into: &dictionary)
    return dictionary.value
  }
}

extension Heading {
  func write(into entries: inout some BusEntries) throws(BusError) {
    if let magneticHeading { try entries.set("magneticHeading", magneticHeading) }
    if let trueHeading { try entries.set("trueHeading", trueHeading) }
    if let accuracy { try entries.set("headingAccuracy", accuracy) }
    try entries.set("timestamp", timestamp.microseconds)
  }
}

extension Heading {
  var busValue: BusValue {
    var dictionary = BusDictionary()
    try? write(into: &dictionary)
    return dictionary.value
  }
}

extension [Service] {
  var busValue: BusValue {
    var dictionary: [String: BusValue] = [:]
    for service in Service.allCases { dictionary[service.rawValue] = .bool(contains(service)) }
    return .array(
      of: "{sb}",
      dictionary.sorted { $0.key < $1.key }.map { .entry(.string($0.key), $0.value) })
  }
}

extension Status {
  /// All its lists are of dictionaries, also those that are empty.
  var busValue: BusValue? {
    guard case .object(let members) = json else { return nil }
    return .array(
      of: "{sv}",
      members.compactMap { member in
        let value = member.value == .array([]) ? .array(of: "a{sv}", []) : member.value.busValue
        return value.map { .entry(.string(member.key), .variant($0)) }
      })
  }
}

extension BusError {
  init(_ refusal: Refusal) { self.init(refusal, saying: refusal.busMessage) }
}

extension Refusal {
  /// In the words of `org.locationd`.
  var busMessage: String { message(asking: "RequestWhenInUseAuthorization") }
}
