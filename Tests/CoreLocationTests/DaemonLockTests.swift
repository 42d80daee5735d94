import Dispatch
import Foundation
import LocationClient
import LocationModel
import Testing

@testable import CoreLocation

/// Nothing is there to talk to: what an app is told of that may come back to the library.
@Suite("Calls of an app from within what it is told", .timeLimit(.minutes(60)))
struct DaemonLockTests {
  private let daemon = Daemon(
    path: "/nowhere", AppDescription(name: "test"), patience: .seconds(60))

  @Test("a delivery may ask the library anything")
  func delivery() {
    let done = DispatchSemaphore(value: 0)
    let number = daemon.subscribe(.stream) { [daemon] delivery in
      guard case .authorizationChanged = delivery.content else { return }
      _ = daemon.standing()
      _ = daemon.regions()
      daemon.setStandard(StandardRequest(), of: 1)
      let own = daemon.subscribe(.stream) { _ in }
      daemon.unsubscribe(own)
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    daemon.unsubscribe(number)
  }

  @Test("so may the answer to a wish for exact places, where there is no daemon")
  func fullAccuracy() {
    _ = daemon.standing()
    let done = DispatchSemaphore(value: 0)
    // The loss is known before the wish is there.
    while daemon.state.withLock({ $0.link }) != .lost { Thread.sleep(forTimeInterval: 0.001) }
    daemon.requestFullAccuracy("to test") { [daemon] error in
      #expect(error?.code == .promptDeclined)
      _ = daemon.standing()
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
  }

  @Test("deliveries keep their order, whichever threads make them")
  func order() {
    let heard = Guarded<[Int]>([])
    let number = daemon.subscribe(.stream) { delivery in
      guard case .single(let count, _) = delivery.content else { return }
      heard.withLock { $0.append(count) }
    }
    _ = daemon.standing()
    let last = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<500 {
        daemon.state.withLock { state in
          let count = last.withLock { last in
            last += 1
            return last
          }
          state.deliver(.single(count, .failure(CLError(.locationUnknown, "none"))), to: number)
        }
      }
    }
    let end = ContinuousClock.now + .seconds(60)
    while heard.withLock({ $0.count }) < 2000, ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    #expect(heard.withLock { $0 } == Array(1...2000))
  }

  @Test("errors of the libraries are words")
  func words() {
    #expect("\(CLError(.denied, "The app may not."))" == "The app may not.")
    #expect("\(Daemon.noDaemon(.locationUnknown))".contains("not running"))
    #expect(!"\(CLError(.network))".contains("CLError(") && !"\(CLError(.network))".isEmpty)
  }
}
