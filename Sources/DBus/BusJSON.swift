package import LocationModel

extension JSON {
  /// Objects become `a{sv}`, lists are of what is in them; nil for null.
  package var busValue: BusValue? {
    switch self {
    case .null: return nil
    case .bool(let value): return .bool(value)
    case .integer(let value): return .int64(value)
    case .number(let value): return .double(value)
    case .longInteger(let digits): return .double(Double(digits) ?? .infinity)
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
  package init(_ value: BusValue) {
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
  /// Our own *no*, in words of the door's.
  package init(_ refusal: Refusal, saying message: String) {
    let name =
      switch refusal.code {
      case .malformed, .invalidRequest, .invalidParameters: "InvalidArgs"
      case .unknownMethod: "NotSupported"
      default: refusal.code.name.prefix(1).uppercased() + refusal.code.name.dropFirst()
      }
    self.init("org.locationd.Error.\(name)", message)
  }
}
