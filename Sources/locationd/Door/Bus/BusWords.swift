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

extension JSON {
  /// Objects become `a{sv}`, lists are of what is in them; nil for null.
  var busValue: BusValue? {
    switch self {
    case .null: return nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .int64(value)
    case .number(let value): return .double(value)
    case .string(let text): return .string(text)
    case .object(let members):
      return .array(
        of: "{sv}",
        members.compactMap { member in
          member.value.busValue.map { .entry(.string(member.key), .variant($0)) }
        })
    case .array(let values):
      let elements = values.compactMap(\.busValue)
      guard let type = elements.first?.type, elements.allSatisfy({ $0.type == type }) else {
        return .array(of: "v", elements.map { .variant($0) })
      }
      return .array(of: type, elements)
    }
  }
}

extension JSON {
  /// The bus's value as JSON; structures are lists, and a value without a like is null.
  init(_ value: BusValue) {
    switch value {
    case .bool(let value): self = .bool(value)
    case .byte(let value): self = .integer(Int64(value))
    case .int16(let value): self = .integer(Int64(value))
    case .uint16(let value): self = .integer(Int64(value))
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .uint64(let value): self = Int64(exactly: value).map(JSON.integer) ?? .null
    case .double(let value): self = .number(value)
    case .structure(let members): self = .array(members.map { JSON($0) })
    case .string(let text), .path(let text): self = .string(text)
    case .variant(let content): self = JSON(content)
    case .array:
      if let entries = value.asDictionary {
        self = .object(entries.map { Member(key: $0.key, value: JSON($0.value)) })
      } else {
        self = .array((value.asArray ?? []).map { JSON($0) })
      }
    case .signature, .descriptor, .entry: self = .null
    }
  }
}

extension BusError {
  init(_ refusal: Refusal) {
    let name =
      switch refusal.code {
      case .malformed, .invalidRequest, .invalidParameters: "InvalidArgs"
      case .unknownMethod: "NotSupported"
      default: refusal.code.name.prefix(1).uppercased() + refusal.code.name.dropFirst()
      }
    self.init("org.locationd.Error.\(name)", refusal.busMessage)
  }
}

extension Refusal {
  /// In the words of `org.locationd`.
  var busMessage: String { message(asking: "RequestWhenInUseAuthorization") }
}
