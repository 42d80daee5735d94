internal import CDBus
internal import Platform

// libdbus calls these.
extension BusLink {
  func setFunctions() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_set_watch_functions(
      connection,
      { watch, context in
        guard let watch, let hook = link(at: context)?.hook else { return 0 }
        return hook.add(watch: watch) ? 1 : 0
      },
      { watch, context in if let watch { link(at: context)?.hook?.remove(watch: watch) } },
      { watch, context in if let watch { link(at: context)?.hook?.toggle(watch: watch) } },
      context, nil)
    dbus_connection_set_timeout_functions(
      connection,
      { timeout, context in
        guard let timeout, let hook = link(at: context)?.hook else { return 0 }
        return hook.add(timeout: timeout) ? 1 : 0
      },
      { timeout, context in if let timeout { link(at: context)?.hook?.remove(timeout: timeout) } },
      { timeout, context in if let timeout { link(at: context)?.hook?.toggle(timeout: timeout) } },
      context, nil)
    // Not from inside, where libdbus does not allow it. A function that wakes the loop up would be
    // for other threads, which there are none of.
    dbus_connection_set_dispatch_status_function(
      connection,
      { _, status, context in
        if status == DBUS_DISPATCH_DATA_REMAINS { link(at: context)?.later?.set() }
      }, context, nil)
    dbus_connection_add_filter(connection, receiveFromBus, context, nil)
  }
}

private func link(at context: UnsafeMutableRawPointer?) -> BusLink? {
  context.map { Unmanaged<BusLink>.fromOpaque($0).takeUnretainedValue() }
}

func receiveFromBus(
  _: OpaquePointer?, _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  guard let message else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
  link(at: context)?.receive(BusMessage(sharing: message))
  return DBUS_HANDLER_RESULT_HANDLED
}
