import Glibc
package import LocationModel

/// The daemon for code that awaits, or is called back: one thread talks to it, any number of threads
/// and tasks ask. It connects again when the daemon comes back. Events are handed to `handler` on that
/// thread, in order with the replies.
package final class AsyncConnection: Sendable {
  /// The daemon's answer, or why there is none.
  package typealias Answer = Result<Reply, ClientError>

  private let desk: Desk

  package init(
    path: String = Connection.defaultPath,
    handler: @escaping @Sendable (PersistentConnection.Event) -> Void
  ) throws(ConnectionError) {
    desk = try Desk(path)
    let result = ClientThread.start { [desk] in desk.run(path, handler) }
    guard result == 0 else {
      throw .noDaemon(path: path, reason: String(cString: strerror(result)))
    }
  }

  /// The thread answers all that it was asked, and ends.
  deinit { desk.end() }

  /// Asks. The answer is handed over on the connection's thread, also where the connection is closed; a
  /// request that is under way when the daemon goes has none.
  package func ask(
    _ request: Request, manager: Int = 0, then reply: @escaping @Sendable (Answer) -> Void
  ) {
    desk.add(request, manager, reply)
  }

  /// Asks, and waits for the reply.
  package func ask(_ request: Request, manager: Int = 0) async throws(ClientError) -> Reply {
    try await withCheckedContinuation { continuation in
      ask(request, manager: manager) { continuation.resume(returning: $0) }
    }.get()
  }

  /// Hangs up for good: nothing more is heard, and what is asked fails.
  package func close() { desk.close() }
}

/// What the connection and its thread share: the connection may go while the thread is at work.
private final class Desk: Sendable {
  typealias Handler = @Sendable (AsyncConnection.Answer) -> Void

  private struct State {
    var waiting: [(request: Request, manager: Int, reply: Handler)] = []
    var isClosed = false
    /// Nobody can ask any more.
    var isOver = false
  }

  private let state = Guarded(State())
  /// Written to, it wakes the thread.
  private let wake: Int32
  private let woken: Int32

  init(_ path: String) throws(ConnectionError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .noDaemon(path: path, reason: String(cString: strerror(errno)))
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (woken, wake) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(wake)
    Glibc.close(woken)
  }

  func add(_ request: Request, _ manager: Int, _ reply: @escaping Handler) {
    state.withLock { $0.waiting.append((request, manager, reply)) }
    rouse()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    rouse()
  }

  func end() {
    state.withLock { ($0.isClosed, $0.isOver) = (true, true) }
    rouse()
  }

  private func rouse() {
    var byte: UInt8 = 0
    _ = write(wake, &byte, 1)
  }
}

// MARK: - The thread

extension Desk {
  func run(_ path: String, _ handler: (PersistentConnection.Event) -> Void) {
    talk(PersistentConnection(path: path), handler)
    // The connection has hung up, and the thread answers until nobody can ask.
    while !refuseAll() { wait(nil) }
  }

  private func take() -> State {
    state.withLock { state in
      defer { state.waiting = [] }
      return state
    }
  }

  /// True at the end.
  private func refuseAll() -> Bool {
    let asked = take()
    for (_, _, reply) in asked.waiting { reply(.failure(.lost(.closed(nil)))) }
    return asked.isOver
  }

  private func talk(
    _ connection: PersistentConnection, _ handler: (PersistentConnection.Event) -> Void
  ) {
    var replies: [Int64: Handler] = [:]
    while true {
      for event in connection.step(at: .now) {
        switch event {
        case .received(.reply(let id, let result)):
          connection.succeed()
          replies.removeValue(forKey: id)?(result.mapError(ClientError.refused))
          continue
        case .lost(let error):
          let lost = replies.sorted { $0.key < $1.key }
          replies = [:]
          for (_, reply) in lost { reply(.failure(.lost(error))) }
        default: break
        }
        handler(event)
      }
      let asked = take()
      for (request, manager, reply) in asked.waiting {
        do throws(ConnectionError) {
          replies[try connection.send(request, manager: manager)] = reply
        } catch {
          reply(.failure(.lost(error)))
        }
      }
      guard !asked.isClosed else { break }
      wait(connection)
    }
    for (_, reply) in replies.sorted(by: { $0.key < $1.key }) {
      reply(.failure(.lost(.closed(nil))))
    }
  }

  /// Until something comes, is asked, or it is time to connect again.
  private func wait(_ connection: PersistentConnection?) {
    var entries = [
      pollfd(fd: woken, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let left = connection?.retriesAt.map { max(0, $0.seconds(since: .now)) }
    let pause = left.map { Int32($0 * 1000) + 1 } ?? -1
    poll(&entries, 2, connection?.hasUnread == true ? 0 : pause)
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(woken, &bytes, bytes.count) > 0 {}
  }
}

extension Boottime {
  package static var now: Boottime {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Boottime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

/// A thread that ends with its body, and is never asked to handle a signal of the program's.
enum ClientThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// The result is an error number, or 0.
  static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    if result == 0 { pthread_detach(thread) } else { work.release() }
    return result
  }
}
