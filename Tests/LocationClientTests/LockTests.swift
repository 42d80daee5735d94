import Dispatch
import Glibc
import LocationModel
import Testing

@testable import LocationClient

/// The law of the lock, which stands above `Guarded`.
@Suite("Under a lock nothing is called", .timeLimit(.minutes(60))) struct LockTests {
  private struct Counter: HasOutbox {
    var outbox = Outbox()
    var count = 0
  }

  private let counter = Guarded(Counter())
  private let heard = Guarded<[Int]>([])

  /// Changes the value, and is followed by a call that says so.
  private func raise(then call: @escaping @Sendable () -> Void = {}) {
    counter.withLock { [heard] counter in
      counter.count += 1
      let count = counter.count
      counter.outbox.append {
        heard.withLock { $0.append(count) }
        call()
      }
    }
  }

  @Test("a call that follows may come back to the value, and what that leads to comes after it")
  func comesBack() {
    raise { [self] in
      #expect(counter.withLock { $0.count } == 1)
      raise()
      #expect(heard.withLock { $0 } == [1])
    }
    #expect(heard.withLock { $0 } == [1, 2])
  }

  @Test(
    "a call that takes its time holds up no other thread, and the order stays that of the changes")
  func slow() {
    let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "slow").async { [self] in
      raise {
        begun.signal()
        goesOn.wait()
      }
      done.signal()
    }
    #expect(begun.wait(timeout: .now() + 60) == .success)
    for _ in 0..<100 { raise() }
    #expect(counter.withLock { $0.count } == 101)
    #expect(heard.withLock { $0 } == [1])
    goesOn.signal()
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(heard.withLock { $0 } == Array(1...101))
  }

  @Test("calls of many threads come one at a time, each once, in the order of the changes")
  func many() {
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1000 { raise() }
    }
    // A thread that performs calls may still be at the last ones of others.
    let end = DispatchTime.now() + 60
    while heard.withLock({ $0.count }) < 8000, DispatchTime.now() < end { usleep(1000) }
    #expect(heard.withLock { $0 } == Array(1...8000))
  }
}

@Suite("A closed connection", .timeLimit(.minutes(60))) struct ClosedConnectionTests {
  /// The threads of answers.
  private final class Threads: Sendable {
    let all = Guarded<[UInt]>([])
    let came = DispatchSemaphore(value: 0)

    func note() {
      all.withLock { $0.append(UInt(pthread_self())) }
      came.signal()
    }
  }

  @Test(
    "it answers on the connection's own thread, however late it is asked, never on the caller's")
  func answers() throws {
    let threads = Threads()
    let connection = try AsyncConnection(path: "/nowhere") { _ in }
    func ask() {
      connection.ask(.status) { answer in
        if case .success = answer { Issue.record("nobody is there to answer") }
        threads.note()
      }
    }
    ask()
    #expect(threads.came.wait(timeout: .now() + 60) == .success)
    connection.close()
    for _ in 0..<3 {
      ask()
      #expect(threads.came.wait(timeout: .now() + 60) == .success)
    }
    let all = threads.all.withLock { $0 }
    #expect(all.count == 4 && Set(all).count == 1)
    #expect(!all.contains(UInt(pthread_self())))
  }

  @Test("who asks under a lock that the answer wants is not hung")
  func underLock() throws {
    let value = Guarded(0)
    let done = DispatchSemaphore(value: 0)
    let connection = try AsyncConnection(path: "/nowhere") { _ in }
    connection.close()
    value.withLock { _ in
      connection.ask(.status) { _ in
        value.withLock { $0 += 1 }
        done.signal()
      }
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(value.withLock { $0 } == 1)
  }

  @Test("all that was asked is answered, also where the connection goes at once")
  func goes() throws {
    let threads = Threads()
    do {
      let connection = try AsyncConnection(path: "/nowhere") { _ in }
      for _ in 0..<100 { connection.ask(.status) { _ in threads.note() } }
    }
    for _ in 0..<100 { #expect(threads.came.wait(timeout: .now() + 60) == .success) }
  }
}

@Suite("Why there is no talking") struct ConnectionErrorTests {
  @Test("every reason is said in words")
  func words() {
    let errors: [ConnectionError] = [
      .noDaemon(path: "/run/x", reason: "No such file or directory"), .closed(nil),
      .closed(Refusal(.failed, "Going.")), .timedOut, .garbled,
    ]
    #expect(
      errors.map { "\($0)" } == [
        "nothing answers at /run/x (No such file or directory)", "it has gone", "Going",
        "it does not answer in time", "the program there is not locationd",
      ])
  }
}
