internal import Glibc

/// Work that is done on all processors at once.
package enum ParallelWork {
  /// How many processors there are; a machine of many has other work, too.
  package static var width: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8) }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `first` on this thread and each of the others on one of its own. All have ended when it returns.
  package static func run(_ first: () -> Void, _ others: [@Sendable () -> Void]) {
    var threads: [pthread_t] = []
    for other in others {
      let body = Unmanaged.passRetained(Body(other))
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, body.toOpaque())
      if result == 0 {
        threads.append(thread)
      } else {
        body.takeRetainedValue().run()
      }
    }
    first()
    for thread in threads { pthread_join(thread, nil) }
  }
}
