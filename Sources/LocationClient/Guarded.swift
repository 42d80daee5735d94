import Glibc

// The law of the lock
//
// Under a lock nothing is called. The body of `withLock` reads and changes the value, and does nothing else: it calls
// no closure, delegate, callback or continuation, opens, reads and writes no file, sends nothing, starts no thread,
// takes no other lock, and waits for nothing. There are two reasons:
//
// * The mutex is not recursive. A call that comes back to the value hangs its thread for ever.
// * A call may be slow: a disk, an app's own code. Each thread that wants the value would wait with it.
//
// What follows from a change is put into the value's `Outbox` under the lock. `withLock` performs it after the lock, in
// the order of the changes, whichever threads made them: while one thread performs calls, it performs those of the
// others, too, and they go on. So a call may come back to the value, and what that leads to comes after it. A call that
// waits would keep the others' calls waiting: it is handed to a queue of its own.
//
// * A delivery to an app is collected under the lock and sent after it, to a mailbox or a stream.
// * A file is written on its own queue: what is to be written is copied under the lock, and written without it.
// * An answer is handed over on the connection's thread, never on the thread that asks.
// * Nothing waits on the main actor for a child or a disk. The few calls that return what the daemon says wait for it a
//   moment at most (`Answers.swift` of CoreLocation).
// * An event is acknowledged when each subscriber that it was sent to has it, and what they remember of it is written.

/// A value that threads take turns with. It is a pthread mutex because ThreadSanitizer sees these, and
/// does not see Synchronization's `Mutex` on Linux.
// Unchecked: that lock guards the value.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

/// Calls that follow from changes of a guarded value, in the order of the changes.
package struct Outbox: Sendable {
  package typealias Call = @Sendable () -> Void

  private var calls: [Call] = []
  /// A thread performs calls, and will perform those that come meanwhile.
  private var isInHand = false

  package init() {}

  package mutating func append(_ call: @escaping Call) { calls.append(call) }

  /// The calls that a thread has to perform; none where another one does so.
  fileprivate mutating func begin() -> [Call] { isInHand ? [] : goOn() }

  /// The calls that came while this thread performed others.
  fileprivate mutating func goOn() -> [Call] {
    isInHand = !calls.isEmpty
    defer { calls = [] }
    return calls
  }
}

/// A value whose changes are followed by calls.
package protocol HasOutbox: Sendable {
  var outbox: Outbox { get set }
}

extension Guarded where Value: HasOutbox {
  /// Changes the value, and then performs what follows, outside of the lock.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      var calls = value.outbox.begin()
      pthread_mutex_unlock(mutex)
      while !calls.isEmpty {
        for call in calls { call() }
        // What they held goes before the lock is taken: its end may come back to the value.
        calls = []
        pthread_mutex_lock(mutex)
        calls = value.outbox.goOn()
        pthread_mutex_unlock(mutex)
      }
    }
    return try body(&value)
  }
}
