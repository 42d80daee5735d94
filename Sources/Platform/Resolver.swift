internal import CLinux
internal import Glibc

/// Names to addresses, without anyone waiting: glibc asks in threads of its own.
package final class Resolver {
  /// One question. Let go of, its answer is not told.
  final class Lookup {
    fileprivate var body: ((Result<[NetworkAddress], SystemError>) -> Void)?
    fileprivate init(_ body: @escaping (Result<[NetworkAddress], SystemError>) -> Void) {
      self.body = body
    }
  }

  private final class Pending {
    let name: String
    let block: UnsafeMutablePointer<linux_lookup>
    weak var lookup: Lookup?

    init(_ name: String, _ block: UnsafeMutablePointer<linux_lookup>, _ lookup: Lookup) {
      self.name = name
      self.block = block
      self.lookup = lookup
    }

    // Only once it is answered: until then glibc writes there.
    deinit { linux_lookup_free(block) }
  }

  package let loop: EventLoop
  private var pending: [Pending] = []
  private var watch: EventLoop.SignalWatch?
  private let signal = linux_first_realtime_signal()

  package init(on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    watch = try EventLoop.SignalWatch(signal, on: loop) { [unowned self] in deliverAnswers() }
  }

  func resolve(
    _ name: String, port: Int, _ body: @escaping (Result<[NetworkAddress], SystemError>) -> Void
  ) throws(SystemError) -> Lookup {
    guard let block = linux_lookup_start(name, "\(port)", signal) else {
      throw SystemError("cannot look up \(name)", EAGAIN)
    }
    let lookup = Lookup(body)
    pending.append(Pending(name, block, lookup))
    return lookup
  }

  private func deliverAnswers() {
    let answered = pending.filter { linux_lookup_state($0.block) != linux_lookup_in_progress }
    pending.removeAll { one in answered.contains { $0 === one } }
    for one in answered {
      guard let lookup = one.lookup, let body = lookup.body else { continue }
      lookup.body = nil
      let state = linux_lookup_state(one.block)
      if state == 0 {
        body(.success(NetworkAddress.all(in: linux_lookup_result(one.block))))
      } else {
        let reason = String(cString: gai_strerror(state))
        body(.failure(SystemError("cannot find \(one.name) (\(reason))", ENOENT)))
      }
    }
  }
}
