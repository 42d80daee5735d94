/// The bus's knowledge of a peer, as the kernel told it when the peer connected.
package struct BusCredentials: Equatable, Sendable {
  package var uid: UInt32
  package var pid: UInt32?
  package var label: String?
}

extension BusCredentials {
  init(in reply: BusMessage) throws(BusError) {
    let entries = try reply.arguments().first?.asDictionary ?? [:]
    guard let uid = entries["UnixUserID"]?.asUInt32 else {
      throw .failed("the bus does not know whose it is")
    }
    self.uid = uid
    pid = entries["ProcessID"]?.asUInt32
    // With a NUL at its end.
    label = entries["LinuxSecurityLabel"]?.asBytes.map {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
