/// Having a bus, or the service manager on it, start what is not there.
extension BusConnection {
  /// Milliseconds for something to start.
  private static let patience: Int32 = 60_000

  /// Tells later, never at once: an error, or nothing where it runs now or did so before.
  package func startService(_ name: String, completion: @escaping (BusError?) -> Void) -> BusCall {
    start(
      (Bus.name, Bus.path, Bus.interface, "StartServiceByName"),
      [.string(name), .uint32(0)], completion)
  }

  /// Tells once the manager has taken it on: whether it comes up then is for who waits for it to see.
  /// The manager's other jobs go first.
  package func startUnit(_ name: String, completion: @escaping (BusError?) -> Void) -> BusCall {
    manage("StartUnit", name, "fail", completion)
  }

  /// Starts the unit anew where it runs already.
  package func restartUnit(_ name: String, completion: @escaping (BusError?) -> Void) -> BusCall {
    manage("RestartUnit", name, "replace", completion)
  }

  private func manage(
    _ job: String, _ unit: String, _ mode: String, _ completion: @escaping (BusError?) -> Void
  ) -> BusCall {
    let manager = "org.freedesktop.systemd1"
    return start(
      (manager, "/org/freedesktop/systemd1", manager + ".Manager", job),
      [.string(unit), .string(mode)], completion)
  }

  private func start(
    _ method: (String, String, String, String), _ arguments: [BusValue],
    _ completion: @escaping (BusError?) -> Void
  ) -> BusCall {
    call(method.0, method.1, method.2, method.3, arguments, patience: Self.patience) {
      if case .failure(let error) = $0 { completion(error) } else { completion(nil) }
    }
  }

  /// Tells the unique name that has this name, or nil.
  package func findOwner(of name: String, completion: @escaping (String?) -> Void) -> BusCall {
    call(
      Bus.name, Bus.path, Bus.interface, "GetNameOwner", [.string(name)], patience: Self.patience
    ) { completion((try? $0.get())?.first?.asString) }
  }
}
