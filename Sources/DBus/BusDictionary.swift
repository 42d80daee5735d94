/// Where entries of an `a{sv}` go: into a message, straight, or into a value.
package protocol BusEntries {
  mutating func set(_ key: StaticString, _ value: Double) throws(BusError)
  mutating func set(_ key: StaticString, _ value: Int64) throws(BusError)
  mutating func set(_ key: StaticString, _ value: Bool) throws(BusError)
  mutating func set(_ key: StaticString, _ value: String) throws(BusError)
}

extension BusDictionaryWriter: BusEntries {}

/// A dictionary that becomes a value.
package struct BusDictionary: BusEntries {
  private var entries: [BusValue] = []

  package init() {}

  package var value: BusValue { .array(of: "{sv}", entries) }

  package mutating func set(_ key: StaticString, _ value: BusValue) {
    entries.append(.entry(.string("\(key)"), .variant(value)))
  }
  package mutating func set(_ key: StaticString, _ value: Double) { set(key, .double(value)) }
  package mutating func set(_ key: StaticString, _ value: Int64) { set(key, .int64(value)) }
  package mutating func set(_ key: StaticString, _ value: Bool) { set(key, .bool(value)) }
  package mutating func set(_ key: StaticString, _ value: String) { set(key, .string(value)) }
}
