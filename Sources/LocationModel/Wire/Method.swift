/// The requests that one service answers: each is a row of `methods`.
package protocol ServiceRequest: Equatable, Sendable {
  associatedtype Reply: Sendable
  static var methods: [Method<Self>] { get }
}

/// One method of a service, said once: its name, its parameters, and its reply.
package struct Method<Call: ServiceRequest>: Sendable {
  package let name: String
  /// Beside `manager`.
  let parameters: [String]
  package let read: @Sendable (Parameters) throws(Refusal) -> Call
  /// The parameters of a request; nil for a request of another method.
  let write: @Sendable (Call) -> JSON?
  /// Nil for a result that is no reply to this method.
  let reply: @Sendable (JSON) -> Call.Reply?
}

extension Method {
  package init(
    _ name: String, _ parameters: [String] = [], reply: @escaping @Sendable (JSON) -> Call.Reply?,
    read: @escaping @Sendable (Parameters) throws(Refusal) -> Call,
    write: @escaping @Sendable (Call) -> JSON?
  ) {
    self.init(name: name, parameters: parameters, read: read, write: write, reply: reply)
  }

  /// A method without parameters.
  package init(
    _ name: String, _ call: Call, reply: @escaping @Sendable (JSON) -> Call.Reply?
  ) {
    self.init(
      name: name, parameters: [], read: { _ in call }, write: { $0 == call ? [:] : nil },
      reply: reply)
  }

  /// A method whose parameters are those of a value. `start`: the value where none is given.
  init<Value: Sendable>(
    _ name: String, _ start: Value, _ parameters: [Parameter<Value>],
    reply: @escaping @Sendable (JSON) -> Call.Reply?, make: @escaping @Sendable (Value) -> Call,
    value: @escaping @Sendable (Call) -> Value?,
    check: @escaping @Sendable (Value) throws(Refusal) -> Void = { _ in }
  ) {
    self.init(
      name: name, parameters: parameters.map(\.name),
      read: { (given) throws(Refusal) in
        var value = start
        for parameter in parameters { try parameter.read(given, &value) }
        try check(value)
        return make(value)
      },
      write: { call in
        value(call).map { value in
          .object(
            parameters.compactMap { parameter in
              parameter.write(value).map { .init(key: parameter.name, value: $0) }
            })
        }
      }, reply: reply)
  }
}

extension ServiceRequest {
  package init(method: String, parameters: Parameters) throws(Refusal) {
    guard let row = Self.methods.first(where: { $0.name == method }) else {
      throw Refusal(.unknownMethod, "There is no method '\(method.plain(atMost: 64))'.")
    }
    self = try row.read(parameters)
    try parameters.check(row.parameters, of: method)
  }

  private var row: (method: Method<Self>, parameters: JSON)? {
    for method in Self.methods {
      if let parameters = method.write(self) { return (method, parameters) }
    }
    return nil
  }

  package var method: String { row?.method.name ?? "" }

  package var parameters: JSON { row?.parameters ?? [:] }

  /// The request as a line.
  package func line(id: JSON?, manager: Int = 0) -> JSON {
    let row = row
    var members = row?.parameters.members ?? []
    if manager != 0 { members.append(.init(key: "manager", value: .integer(Int64(manager)))) }
    return [
      "jsonrpc": "2.0", "id": id, "method": row.map { .string($0.method.name) },
      "params": .object(members),
    ]
  }

  /// The reply that a result is; one that cannot be read is a refusal.
  package func reply(_ result: JSON) throws(Refusal) -> Reply {
    guard let reply = row?.method.reply(result) else {
      throw .unreadableReply
    }
    return reply
  }
}

extension Refusal {
  package static let unreadableReply = Refusal(
    .failed, "The answer is not one that this program knows.")
}

/// One parameter of a method: a member of the request's value.
struct Parameter<Value>: Sendable {
  let name: String
  let read: @Sendable (Parameters, inout Value) throws(Refusal) -> Void
  /// Nil is left out.
  let write: @Sendable (Value) -> JSON?
}

extension Parameter {
  typealias Reader<Field> = @Sendable (Parameters) -> (String) throws(Refusal) -> Field?

  /// A member that keeps its default where the parameter is not given.
  init<Field>(
    _ name: String, _ path: any WritableKeyPath<Value, Field> & Sendable,
    _ reader: @escaping Reader<Field>, _ write: @escaping @Sendable (Field) -> JSON?
  ) {
    self.init(
      name: name,
      read: { (given, value) throws(Refusal) in
        if let field = try reader(given)(name) { value[keyPath: path] = field }
      }, write: { write($0[keyPath: path]) })
  }

  /// A member that is nil where the parameter is not given.
  init<Field>(
    optional name: String, _ path: any WritableKeyPath<Value, Field?> & Sendable,
    _ reader: @escaping Reader<Field>, _ write: @escaping @Sendable (Field) -> JSON
  ) {
    self.init(
      name: name,
      read: { (given, value) throws(Refusal) in value[keyPath: path] = try reader(given)(name) },
      write: { $0[keyPath: path].map(write) })
  }

  static func text(
    _ name: String, _ path: any WritableKeyPath<Value, String?> & Sendable
  ) -> Self {
    Self(optional: name, path, Parameters.text, JSON.string)
  }

  /// False is not written.
  static func truth(
    _ name: String, _ path: any WritableKeyPath<Value, Bool> & Sendable
  ) -> Self {
    Self(name, path, Parameters.truth) { $0 ? .bool(true) : nil }
  }

  static func number(
    _ name: String, _ path: any WritableKeyPath<Value, Double> & Sendable,
    _ reader: @escaping Reader<Double>
  ) -> Self {
    Self(name, path, reader, JSON.number)
  }
}

/// The `params` of a request, read with errors that name the member.
package struct Parameters: Sendable {
  package let json: JSON

  package init(_ json: JSON?) throws(Refusal) {
    self.json = json ?? [:]
    guard self.json.members != nil else {
      throw Refusal(.invalidParameters, "Parameters go by name: params must be an object.")
    }
  }

  /// Refuses names that the method does not know: a misspelt one would be ignored.
  func check(_ names: [String], of method: String) throws(Refusal) {
    let unknown = json.members?.first { $0.key != "manager" && !names.contains($0.key) }
    guard let unknown else { return }
    let known = names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", "))."
    throw Refusal(
      .invalidParameters,
      "\(method) has no parameter '\(unknown.key.plain(atMost: 64))'. \(known)")
  }

  package func manager() throws(Refusal) -> Int {
    guard let value = json["manager"] else { return 0 }
    guard let number = value.integer, let manager = Int32(exactly: number), manager >= 0 else {
      throw Refusal(.invalidParameters, "manager must be a whole number from 0 to \(Int32.max).")
    }
    return Int(manager)
  }

  func text(_ name: String) throws(Refusal) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string, text.utf8.count <= 1024 else {
      throw Refusal(.invalidParameters, "\(name) must be a string of at most 1024 bytes.")
    }
    return text
  }

  func number(_ name: String, where isPossible: (Double) -> Bool) throws(Refusal) -> Double? {
    guard let value = json[name] else { return nil }
    guard let number = value.double, isPossible(number) else {
      throw Refusal(.invalidParameters, "\(name) is not a possible number.")
    }
    return number
  }

  func truth(_ name: String) throws(Refusal) -> Bool? {
    guard let value = json[name] else { return nil }
    guard let truth = value.bool else {
      throw Refusal(.invalidParameters, "\(name) must be true or false.")
    }
    return truth
  }

  func whole(_ name: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
    guard let value = json[name] else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw Refusal(
        .invalidParameters,
        "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func word<Word: RawRepresentable<String>>(_ name: String) throws(Refusal) -> Word? {
    guard let text = try text(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw Refusal(.invalidParameters, "\(name) is not one of the words it can be.")
    }
    return word
  }
}
