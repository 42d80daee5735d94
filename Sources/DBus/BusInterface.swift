/// A method's or signal's argument.
package struct BusArgument: Sendable {
  let name: String
  let type: String
  package init(_ name: String, _ type: String) {
    self.name = name
    self.type = type
  }
}

/// An interface: from this one table come dispatch, properties and introspection. Made once, it
/// serves any number of objects, each with a target of its own.
package final class BusInterface: Sendable {
  package let name: String
  let methods: [String: BusMethod]
  let properties: [String: BusProperty]
  /// As the table has them.
  let allProperties: [BusProperty]
  let description: String

  package init(
    _ name: String, methods: [BusMethod] = [], properties: [BusProperty] = [],
    signals: [BusSignalDescription] = []
  ) {
    self.name = name
    self.methods = Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
    allProperties = properties
    self.properties = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    description = BusIntrospection.text(name, methods, properties, signals)
  }
}

package struct BusMethod: Sendable {
  /// Gives the answer's values, or nil if the answer comes later.
  package typealias Body<Target> = @Sendable (Target, BusInvocation) throws(BusError) -> [BusValue]?

  let name: String
  let inputs: [BusArgument]
  let outputs: [BusArgument]
  let inputType: String
  let outputType: String
  let body: Body<AnyObject>

  package init<Target: AnyObject>(
    _ name: String, in inputs: [BusArgument] = [], out outputs: [BusArgument] = [],
    _ body: @escaping Body<Target>
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    inputType = inputs.map(\.type).joined()
    outputType = outputs.map(\.type).joined()
    self.body = { (target, call) throws(BusError) in try body(cast(target), call) }
  }
}

package final class BusProperty: Sendable {
  /// How `PropertiesChanged` and introspection treat its changes.
  package enum Announcement: String, Sendable {
    case announced = "true"
    case invalidated = "invalidates"
    case constant = "const"
    case untold = "false"
  }

  package typealias Getter<Target> = @Sendable (Target) -> BusValue
  package typealias Setter<Target> =
    @Sendable (Target, BusInvocation, BusValue) throws(BusError) -> Void
  /// Tells the caller's own value, at once or later, or refuses the call.
  package typealias Teller<Target> =
    @Sendable (Target, BusInvocation, @escaping (BusValue) -> Void) -> Void

  let name: String
  let type: String
  let change: Announcement
  let get: @Sendable (AnyObject) throws(BusError) -> BusValue
  let set: Setter<AnyObject>?
  /// Answers in place of `get`, where each caller has a value of its own.
  let tell: Teller<AnyObject>?

  func value(of target: AnyObject) throws(BusError) -> BusValue {
    let value = try get(target)
    guard value.isOf(type) else { throw .failed("\(name) is \(value.type), not \(type)") }
    return value
  }

  package init<Target: AnyObject>(
    _ name: String, _ type: String, _ change: Announcement = .announced,
    get: @escaping Getter<Target>,
    set: Setter<Target>? = nil
  ) {
    self.name = name
    self.type = type
    self.change = change
    self.get = { (target) throws(BusError) in get(try cast(target)) }
    tell = nil
    if let set {
      self.set = { (target, call, value) throws(BusError) in try set(cast(target), call, value) }
    } else {
      self.set = nil
    }
  }

  package init<Target: AnyObject>(
    _ name: String, _ type: String, tell: @escaping Teller<Target>
  ) {
    self.name = name
    self.type = type
    change = .untold
    set = nil
    get = { (_) throws(BusError) in throw .failed("\(name) is each caller's own") }
    self.tell = { target, call, answer in
      do throws(BusError) {
        tell(try cast(target), call) {
          if $0.isOf(type) { answer($0) } else { call.refuse(.failed("\(name) is not \(type)")) }
        }
      } catch {
        call.refuse(error)
      }
    }
  }
}

package struct BusSignalDescription: Sendable {
  let name: String
  let arguments: [BusArgument]
  package init(_ name: String, _ arguments: [BusArgument] = []) {
    self.name = name
    self.arguments = arguments
  }
}

private func cast<Target: AnyObject>(_ target: AnyObject) throws(BusError) -> Target {
  guard let target = target as? Target else { throw .failed("no \(Target.self)") }
  return target
}
