/// Having a bus, or the service manager on it, start what is not there.
extension BusConnection {
  /// Tells later, never at once: an error, or nothing where it runs now or did so before.
  package func startService(_ name: String, completion: @escaping (BusError?) -> Void) -> BusCall {
    start(
      (Bus.name, Bus.path, Bus.interface, "StartServiceByName"), [.string(name), .uint32(0)],
      completion)
  }

  /// Tells once the manager has taken it on: whether it comes up then is for who waits for it to see.
  /// The manager's other jobs go first.
  package func startUnit(_ name: String, completion: @escaping (BusError?) -> Void) -> BusCall {
    let manager = "org.freedesktop.systemd1"
    return start(
      (manager, "/org/freedesktop/systemd1", manager + ".Manager", "StartUnit"),
      [.string(name), .string("fail")], completion)
  }

  /// Tells the unique name that has this name, or nil.
  package func findOwner(of name: String, completion: @escaping (String?) -> Void) -> BusCall {
    ask((Bus.name, Bus.path, Bus.interface, "GetNameOwner"), [.string(name)]) {
      completion(try? $0.get().arguments().first?.asString)
    }
  }

  private typealias Method = (service: String, path: String, interface: String, member: String)

  private func start(
    _ method: Method, _ arguments: [BusValue], _ completion: @escaping (BusError?) -> Void
  ) -> BusCall {
    ask(method, arguments) {
      if case .failure(let error) = $0 { completion(error) } else { completion(nil) }
    }
  }

  private func ask(
    _ method: Method, _ arguments: [BusValue], completion: @escaping (BusCall.Answer) -> Void
  ) -> BusCall {
    do throws(BusError) {
      let message = try BusMessage(
        to: method.service, method.path, method.interface, method.member, arguments)
      return call(message, patience: 60_000, completion: completion)
    } catch {
      return BusCall(failed: error, on: loop, completion: completion)
    }
  }
}
