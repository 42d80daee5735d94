internal import CDBus
internal import Platform

/// A call that awaits its answer. Let go of, the answer is not told.
package final class BusCall {
  package typealias Answer = Result<BusMessage, BusError>

  private let pending: OpaquePointer?
  /// Gone when everything is being let go of: then nobody is told any more.
  private weak var link: BusLink?
  private var completion: ((Answer) -> Void)?
  private var later: EventLoop.Later?

  /// This object owns the reference.
  init(owning pending: OpaquePointer, on link: BusLink, completion: @escaping (Answer) -> Void) {
    self.pending = pending
    self.link = link
    self.completion = completion
    dbus_pending_call_set_notify(
      pending,
      { _, context in
        guard let context else { return }
        Unmanaged<BusCall>.fromOpaque(context).takeUnretainedValue().answered()
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  /// A call that could not be made, which is told later as others are.
  init(failed error: BusError, on loop: EventLoop, completion: @escaping (Answer) -> Void) {
    pending = nil
    self.completion = completion
    later = try? EventLoop.Later(on: loop) { [unowned self] in complete(.failure(error)) }
    later?.set()
  }

  deinit {
    guard let pending else { return }
    link?.forget(ObjectIdentifier(self))
    if dbus_pending_call_get_completed(pending) == 0 { dbus_pending_call_cancel(pending) }
    dbus_pending_call_unref(pending)
  }

  private func answered() {
    guard let link, let reply = dbus_pending_call_steal_reply(pending) else { return }
    link.forget(ObjectIdentifier(self))
    let message = BusMessage(owning: reply)
    if let error = message.error { complete(.failure(error)) } else { complete(.success(message)) }
  }

  /// The bus is gone, and the answer with it: libdbus does not say so.
  func fail(_ error: BusError) { complete(.failure(error)) }

  private func complete(_ answer: Answer) {
    let completion = completion.take()
    completion?(answer)
  }
}

extension BusConnection {
  /// Calls a method, and tells what it gives. `starts`: whoever has the name is started where nobody has it.
  package func call(
    _ service: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], patience: Int32 = 25_000, starts: Bool = true,
    completion: @escaping (Result<[BusValue], BusError>) -> Void
  ) -> BusCall {
    request(
      service, path, interface, member, arguments, patience: patience, starts: starts
    ) { answer in
      completion(Result { () throws(BusError) in try answer.get().arguments() })
    }
  }

  /// Calls a method, and tells its answer unread.
  package func request(
    _ service: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], patience: Int32 = 25_000, starts: Bool = true,
    completion: @escaping (BusCall.Answer) -> Void
  ) -> BusCall {
    do throws(BusError) {
      let message = try BusMessage(to: service, path, interface, member, arguments)
      if !starts { message.forgoStart() }
      return call(message, patience: patience, completion: completion)
    } catch {
      return BusCall(failed: error, on: loop, completion: completion)
    }
  }

  /// Tells the bus something, without interest in an answer.
  func callBus(_ member: String, _ arguments: [BusValue]) {
    guard let message = try? BusMessage(to: Bus.name, Bus.path, Bus.interface, member, arguments)
    else { return }
    message.forgoReply()
    send(message)
  }
}
