import Dispatch
import Foundation
import LocationClient
import LocationModel

/// The place of an app's callbacks: the main queue, or the run loop of the thread that made the manager.
// Unchecked: other threads only add timers to the run loop, which Core Foundation guards.
struct CallbackQueue: @unchecked Sendable {
  /// Nil for the main queue. A timer may be added to a run loop on any thread, and wakes it up.
  private let runLoop: RunLoop?

  static var current: CallbackQueue {
    let isMain = Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) != nil
    return CallbackQueue(runLoop: isMain ? nil : RunLoop.current)
  }

  /// On Linux the main queue of a program with an `async` main runs on other threads than the first.
  private static let mainQueue = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
  }()

  func perform(_ work: @escaping @Sendable () -> Void) {
    guard let runLoop else { return DispatchQueue.main.async(execute: work) }
    runLoop.add(Timer(timeInterval: 0, repeats: false) { _ in work() }, forMode: .common)
  }
}

/// A closure of the app's on its way to the queue on which the app wants it called.
// Unchecked: it is called on that queue and nowhere else.
package struct Callback<Call>: @unchecked Sendable {
  package let call: Call

  package init(_ call: Call) { self.call = call }
}

/// Deliveries on their way to a manager, in order. Locations that come faster than the app takes them
/// are handed over together.
final class Mailbox: Sendable {
  private struct Contents {
    var deliveries: [NumberedDelivery] = []
    var isScheduled = false
  }

  /// The manager that is called.
  // Unchecked: weak references may be read on any thread; the manager itself is used on its own only.
  private final class Address: @unchecked Sendable {
    weak var manager: CLLocationManager?
  }

  private let contents = Guarded(Contents())
  private let queue: CallbackQueue
  private let address = Address()
  /// More locations, headings and lists of beacons than these are not kept: the oldest go.
  private static let most = 1000

  init(_ queue: CallbackQueue) {
    self.queue = queue
  }

  func address(to manager: CLLocationManager) {
    address.manager = manager
  }

  func enqueue(_ delivery: NumberedDelivery) {
    let isFirst = contents.withLock { contents in
      contents.deliveries.append(delivery)
      if contents.deliveries.count > Self.most { Self.thin(&contents.deliveries) }
      defer { contents.isScheduled = true }
      return !contents.isScheduled
    }
    guard isFirst else { return }
    queue.perform { [self] in open() }
  }

  private static func thin(_ deliveries: inout [NumberedDelivery]) {
    let dispensable = deliveries.firstIndex {
      switch $0.content {
      case .updated, .heading, .ranged: $0.receipt == nil
      default: false
      }
    }
    if let dispensable { deliveries.remove(at: dispensable) }
  }

  private func open() {
    let deliveries = contents.withLock { contents in
      defer { contents = Contents() }
      return contents.deliveries
    }
    guard let manager = address.manager else { return }
    // Calls of the app within its callbacks go to the same daemon.
    guard manager.daemon !== Daemon.shared else { return manager.handle(deliveries) }
    Daemon.$current.withValue(manager.daemon) { manager.handle(deliveries) }
  }
}
