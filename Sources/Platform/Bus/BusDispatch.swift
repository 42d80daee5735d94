/// The interfaces that every object has.
enum BusStandard {
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  /// Answered by libdbus itself.
  static let peer = "org.freedesktop.DBus.Peer"
}

/// From a call to what answers it. Gives nil where the answer comes later.
enum BusDispatch {
  static func answer(
    _ call: BusInvocation, _ type: String, _ objects: BusObjects
  ) throws(BusError) -> [BusValue]? {
    let object = objects.object(at: call.path, for: call.sender)
    if call.interface == BusStandard.introspectable
      || call.interface == nil && call.member == "Introspect"
    {
      return try introspect(call, type, object, objects)
    }
    guard let object else { throw .unknownObject(call.path) }
    switch call.interface {
    case BusStandard.properties: return try properties(call, type, object)
    case BusStandard.peer: throw .unknownMethod(call.member)
    case .some(let name): return try method(in: [object.interface(name)], call, type, object)
    case nil: return try method(in: object.interfaces, call, type, object)
    }
  }

  private static func method(
    in interfaces: [BusInterface], _ call: BusInvocation, _ type: String, _ object: BusObject
  ) throws(BusError) -> [BusValue]? {
    guard let method = interfaces.lazy.compactMap({ $0.methods[call.member] }).first else {
      throw .unknownMethod(call.member)
    }
    try check(type, method.inputType, call)
    call.outputType = method.outputType
    return try method.body(object.answering(), call)
  }

  private static func introspect(
    _ call: BusInvocation, _ type: String, _ object: BusObject?, _ objects: BusObjects
  ) throws(BusError) -> [BusValue] {
    guard call.member == "Introspect" else { throw .unknownMethod(call.member) }
    let children = objects.children(of: call.path, for: call.sender)
    // The root is there even while there is nothing below it.
    guard object != nil || !children.isEmpty || call.path == "/" else {
      throw .unknownObject(call.path)
    }
    try check(type, "", call)
    call.outputType = "s"
    return [.string(BusIntrospection.document(of: object, children))]
  }

  private static func properties(
    _ call: BusInvocation, _ type: String, _ object: BusObject
  ) throws(BusError) -> [BusValue] {
    let expected = ["Get": "ss", "GetAll": "s", "Set": "ssv"]
    guard let inputType = expected[call.member] else { throw .unknownMethod(call.member) }
    try check(type, inputType, call)
    let arguments = call.arguments
    let interface = arguments[0].asString ?? ""
    if call.member == "GetAll" {
      call.outputType = "a{sv}"
      if BusIntrospection.isStandard(interface) { return [.dictionary([:])] }
      var entries: [BusValue] = []
      for property in try object.interface(interface).allProperties {
        entries.append(.entry(.string(property.name), .variant(try value(of: property, object))))
      }
      return [.array(of: "{sv}", entries)]
    }
    let name = arguments[1].asString ?? ""
    guard let property = try object.interface(interface).properties[name] else {
      throw .unknownProperty(name)
    }
    if call.member == "Get" {
      call.outputType = "v"
      return [.variant(try value(of: property, object))]
    }
    guard let set = property.set else { throw .readOnly(name) }
    guard case .variant(let value) = arguments[2], value.type == property.type else {
      throw .invalidArguments("\(name) is of type \(property.type)")
    }
    try set(object.answering(), call, value)
    return []
  }

  private static func value(
    of property: BusProperty, _ object: BusObject
  ) throws(BusError) -> BusValue {
    let value = try property.get(object.answering())
    guard value.type == property.type else {
      throw .failed("\(property.name) is \(value.type), not \(property.type)")
    }
    return value
  }

  private static func check(
    _ type: String, _ expected: String, _ call: BusInvocation
  ) throws(BusError) {
    guard type == expected else {
      throw .invalidArguments("\(call.member) takes (\(expected)), not (\(type))")
    }
  }
}
