internal import CDBus
internal import Platform

/// The interfaces that every object has.
enum BusStandard {
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let peer = "org.freedesktop.DBus.Peer"
}

/// From a call to what answers it.
enum BusDispatch {
  static func answer(
    _ call: BusInvocation, _ type: String, _ objects: BusObjects
  ) throws(BusError) {
    let object = objects.object(at: call.path, for: call.sender)
    if call.interface == BusStandard.introspectable
      || call.interface == nil && call.member == "Introspect"
    {
      return try introspect(call, type, object, objects)
    }
    if call.interface == BusStandard.peer { return try peer(call, type) }
    guard let object else { throw .unknownObject(call.path) }
    switch call.interface {
    case BusStandard.properties: try properties(call, type, object)
    case .some(let name): try method(in: [object.interface(name)], call, type, object)
    case nil: try method(in: object.interfaces, call, type, object)
    }
  }

  private static func peer(_ call: BusInvocation, _ type: String) throws(BusError) {
    try check(type, "", call)
    switch call.member {
    case "Ping": call.answer([])
    case "GetMachineId":
      call.outputType = "s"
      call.answer([.string(try machineID())])
    default: throw .unknownMethod(call.member)
    }
  }

  private static func machineID() throws(BusError) -> String {
    guard let text = dbus_try_get_local_machine_id(nil) else { throw .failed("no machine-id") }
    defer { dbus_free(text) }
    return String(cString: text)
  }

  private static func method(
    in interfaces: [BusInterface], _ call: BusInvocation, _ type: String, _ object: BusObject
  ) throws(BusError) {
    guard let method = interfaces.lazy.compactMap({ $0.methods[call.member] }).first else {
      throw .unknownMethod(call.member)
    }
    try check(type, method.inputType, call)
    call.outputType = method.outputType
    if let values = try method.body(object.answering(), call) {
      call.answer(values)
    } else {
      call.wait()
    }
  }

  private static func introspect(
    _ call: BusInvocation, _ type: String, _ object: BusObject?, _ objects: BusObjects
  ) throws(BusError) {
    guard call.member == "Introspect" else { throw .unknownMethod(call.member) }
    let children = objects.children(of: call.path, for: call.sender)
    // The root is there even while there is nothing below it.
    guard object != nil || !children.isEmpty || call.path == "/" else {
      throw .unknownObject(call.path)
    }
    try check(type, "", call)
    call.outputType = "s"
    call.answer([.string(BusIntrospection.document(of: object, children))])
  }

  private static func properties(
    _ call: BusInvocation, _ type: String, _ object: BusObject
  ) throws(BusError) {
    switch call.member {
    case "Get": try check(type, "ss", call)
    case "GetAll": try check(type, "s", call)
    case "Set": try check(type, "ssv", call)
    default: throw .unknownMethod(call.member)
    }
    let arguments = call.arguments
    let interface = arguments[0].asString ?? ""
    if call.member == "GetAll" { return try all(of: interface, call, object) }
    let name = arguments[1].asString ?? ""
    guard let property = try object.interface(interface).properties[name] else {
      throw .unknownProperty(name)
    }
    let target = try object.answering()
    if call.member == "Get" {
      call.outputType = "v"
      if let tell = property.tell {
        tell(target, call) { call.answer([.variant($0)]) }
        return call.wait()
      }
      return call.answer([.variant(try property.value(of: target))])
    }
    guard let set = property.set else { throw .readOnly(name) }
    guard case .variant(let value) = arguments[2], value.isOf(property.type) else {
      throw .invalidArguments("\(name) is of type \(property.type)")
    }
    try set(target, call, value)
    call.answer([])
  }

  /// All properties, which programs ask for with each location: they go into the answer as they are.
  private static func all(
    of interface: String, _ call: BusInvocation, _ object: BusObject
  ) throws(BusError) {
    let isStandard = BusIntrospection.isStandard(interface)
    let properties = isStandard ? [] : try object.interface(interface).allProperties
    let target = try object.answering()
    call.outputType = "a{sv}"
    let own = properties.filter { $0.tell != nil }
    collect(own[...], of: target, for: call) { values in
      call.answer { (body) throws(BusError) in
        try body.dictionary { (entries) throws(BusError) in
          for property in properties {
            if let own = values[property.name] {
              try entries.set(property, own)
            } else {
              try entries.set(property, try property.value(of: target))
            }
          }
        }
      }
    }
    if !own.isEmpty { call.wait() }
  }

  /// The caller's own values, one after the other.
  private static func collect(
    _ properties: ArraySlice<BusProperty>, of target: AnyObject, for call: BusInvocation,
    _ values: [String: BusValue] = [:], completion: @escaping ([String: BusValue]) -> Void
  ) {
    guard let property = properties.first, let tell = property.tell else {
      return completion(values)
    }
    tell(target, call) { value in
      var values = values
      values[property.name] = value
      collect(properties.dropFirst(), of: target, for: call, values, completion: completion)
    }
  }

  private static func check(
    _ type: String, _ expected: String, _ call: BusInvocation
  ) throws(BusError) {
    guard type == expected else {
      throw .invalidArguments("\(call.member) takes (\(expected)), not (\(type))")
    }
  }
}
