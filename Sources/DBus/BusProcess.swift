package import Platform

/// The process behind a name on the bus, being looked up. Let go of, nothing is told.
package final class BusProcess {
  package typealias Completion = (Result<BusCredentials, BusError>, consuming ProcessHandle?) ->
    Void

  private let name: String
  private weak var connection: BusConnection?
  private var question: BusCall?
  private var process: ProcessHandle?
  private let completion: Completion

  fileprivate init(
    _ name: String, of connection: BusConnection, completion: @escaping Completion
  ) throws(BusError) {
    self.name = name
    self.connection = connection
    self.completion = completion
    question = try connection.ask("GetConnectionCredentials", about: name) { [unowned self] in
      receiveCredentials($0)
    }
  }

  private func receiveCredentials(_ answer: BusCall.Answer) {
    do throws(BusError) {
      let reply = try answer.get()
      let credentials = try BusCredentials(in: reply)
      process = credentials.process(in: reply)
      guard let connection else { throw .disconnected("not on the bus") }
      // If the name is nobody's now, its process has gone, and the number may be another's.
      question = try connection.ask("NameHasOwner", about: name) { [unowned self] in
        receiveOwner($0, credentials)
      }
    } catch {
      question = nil
      completion(.failure(error), nil)
    }
  }

  private func receiveOwner(_ answer: BusCall.Answer, _ credentials: BusCredentials) {
    question = nil
    do throws(BusError) {
      guard try answer.get().arguments().first?.asBool == true else {
        throw .failed("\(name) has left the bus")
      }
      connection?.learn(name, is: credentials.uid)
      completion(.success(credentials), process.take())
    } catch {
      completion(.failure(error), nil)
    }
  }
}

extension BusConnection {
  /// Tells whose a unique name is, and their process where the bus and the kernel can tell. A name that
  /// has gone meanwhile is a failure.
  package func process(
    of name: String, completion: @escaping BusProcess.Completion
  ) throws(BusError) -> BusProcess {
    guard name.hasPrefix(":") else { throw .invalidArguments("not a unique name: \(name)") }
    return try BusProcess(name, of: self, completion: completion)
  }

  fileprivate func ask(
    _ member: String, about name: String, _ body: @escaping (BusCall.Answer) -> Void
  ) throws(BusError) -> BusCall {
    let question = try BusMessage(
      to: Bus.name, Bus.path, Bus.interface, member, [.string(name)])
    return call(question, completion: body)
  }
}

extension BusCredentials {
  fileprivate func process(in reply: BusMessage) -> ProcessHandle? {
    guard let pid = pid.flatMap(Int32.init(exactly:)) else { return nil }
    // Newer buses hand over what the kernel keeps for the connection; of the others only the number.
    if let process = reply.descriptor(of: "ProcessFD") { return .of(pid, process) }
    return .of(pid, uid: uid)
  }
}
