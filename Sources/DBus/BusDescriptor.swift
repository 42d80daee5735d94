internal import CDBus
internal import Platform

extension BusMessage {
  /// A descriptor of our own for the one under this key of a dictionary, its first argument.
  func descriptor(of key: String) -> Descriptor? {
    var argument = DBusMessageIter()
    guard dbus_message_iter_init(pointer, &argument) != 0, type(at: &argument) == "a" else {
      return nil
    }
    var entry = DBusMessageIter()
    dbus_message_iter_recurse(&argument, &entry)
    while type(at: &entry) == "e" {
      var pair = DBusMessageIter()
      dbus_message_iter_recurse(&entry, &pair)
      if type(at: &pair) == "s", text(at: &pair) == key {
        dbus_message_iter_next(&pair)
        guard type(at: &pair) == "v" else { return nil }
        var value = DBusMessageIter()
        dbus_message_iter_recurse(&pair, &value)
        guard type(at: &value) == "h" else { return nil }
        var number: Int32 = -1
        dbus_message_iter_get_basic(&value, &number)
        return number >= 0 ? Descriptor(owning: number) : nil
      }
      dbus_message_iter_next(&entry)
    }
    return nil
  }

  private func type(at iterator: inout DBusMessageIter) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)))
  }

  private func text(at iterator: inout DBusMessageIter) -> String? {
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return text.map { String(cString: $0) }
  }
}
