/// One request as it came: JSON-RPC 2.0.
package struct Call: Sendable {
  /// The reply carries it; nil where none is wanted.
  package var id: JSON?
  /// The client's own number for the manager it speaks for.
  package var manager: Int
  package var request: Request

  package init(id: JSON?, manager: Int = 0, _ request: Request) {
    self.id = id
    self.manager = manager
    self.request = request
  }
}

/// A request as it came, before it is known what it asks.
package struct Envelope {
  package var id: JSON?
  package var method: String
  package var parameters: Parameters
}

/// A request that is none, and the id its refusal goes to (null where it could not be read).
package struct UnusableCall: Error, CustomStringConvertible {
  package var id: JSON?
  package var refusal: Refusal

  package init(id: JSON?, refusal: Refusal) {
    self.id = id
    self.refusal = refusal
  }

  package var description: String { refusal.message }
}

extension Call {
  package init(parsing line: UnsafeRawBufferPointer) throws(UnusableCall) {
    let envelope = try Envelope(parsing: line)
    do throws(Refusal) {
      self.init(
        id: envelope.id, manager: try envelope.parameters.manager(),
        try Request(method: envelope.method, parameters: envelope.parameters))
    } catch {
      throw UnusableCall(id: envelope.id, refusal: error)
    }
  }
}

extension Envelope {
  package init(parsing line: UnsafeRawBufferPointer) throws(UnusableCall) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: line)
    } catch {
      throw UnusableCall(
        id: .null,
        refusal: Refusal(.malformed, "Not JSON: \(error)."))
    }
    guard json.members != nil else {
      throw UnusableCall(
        id: .null,
        refusal: Refusal(.invalidRequest, "A request is one JSON object; batches are not taken."))
    }
    let id = json["id"]
    guard id?.isRequestID ?? true else {
      throw UnusableCall(id: .null, refusal: .unusableID)
    }
    do throws(Refusal) {
      guard json["jsonrpc"]?.string == "2.0" else {
        throw Refusal(.invalidRequest, "The member \"jsonrpc\":\"2.0\" is missing.")
      }
      guard let method = json["method"]?.string else {
        throw Refusal(.invalidRequest, "The member \"method\" is missing.")
      }
      self.init(id: id, method: method, parameters: try Parameters(json["params"]))
    } catch {
      throw UnusableCall(id: id, refusal: error)
    }
  }
}

extension JSON {
  /// Whether it can be the id of a request. It is kept until the answer: what one client can make a service keep is
  /// bounded.
  package var isRequestID: Bool {
    switch self {
    case .null, .integer, .number: true
    case .string(let text), .longInteger(let text): text.utf8.count <= 256
    case .bool, .array, .object: false
    }
  }
}

extension Refusal {
  package static let unusableID = Refusal(
    .invalidRequest, "An id is null, or a number or a string of at most 256 bytes.")
}

extension TextBuffer {
  /// The call as a line.
  package mutating func append(_ call: Call) {
    append(call.request.line(id: call.id, manager: call.manager))
    append(UInt8(ascii: "\n"))
  }
}
