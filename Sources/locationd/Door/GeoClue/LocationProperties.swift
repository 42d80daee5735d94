import DBus
import LocationModel
import Platform

/// Tells clients that their property `Location` has changed: after `LocationUpdated`, which all of them
/// listen to, and each at most every ten seconds, for it costs as much. It is for libraries that keep
/// properties; what they keep can be read for longer than that.
final class LocationProperties {
  private struct Waiting {
    weak var client: GeoClueClient?
    var due: Boottime
  }

  private var waiting: [Waiting] = []
  /// When the first of them is to be told.
  private var due = Boottime.never
  private var alarm: EventLoop.Timer?
  private let log: Log
  /// A little less than ten of what most receivers take for a fix.
  private static let pause: Duration = .milliseconds(9900)
  /// For the fix to come with which they are told: nobody is woken for them before.
  private static let patience: Duration = .milliseconds(500)

  init(on loop: EventLoop, _ log: Log) {
    self.log = log
    alarm = try? EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      notify(at: Clock.boottime)
    }
  }

  func note(_ client: GeoClueClient, at now: Boottime) {
    guard !client.hasUntoldLocation else { return }
    client.hasUntoldLocation = true
    wait(Waiting(client: client, due: client.locationToldAt.map { $0 + Self.pause } ?? now))
  }

  private func wait(_ one: Waiting) {
    waiting.append(one)
    guard one.due < due else { return }
    due = one.due
    alarm?.set(due + Self.patience)
  }

  /// Tells those whose time it is.
  func notify(at now: Boottime) {
    guard due <= now else { return }
    let all = waiting
    waiting = []
    due = .never
    var made: (newest: ToldLocation, signal: BusSignal)?
    for var one in all {
      guard let client = one.client, client.hasUntoldLocation else { continue }
      guard one.due <= now else {
        wait(one)
        continue
      }
      // A client whose place was taken away has been told that.
      guard let newest = client.told.newest else {
        client.hasUntoldLocation = false
        continue
      }
      do throws(BusError) {
        if made?.newest !== newest { made = (newest, try GeoClue.changed(to: newest)) }
        guard let signal = made?.signal, !client.notifyLocation(by: signal, at: now) else {
          continue
        }
        one.due = now + Self.pause
        wait(one)
      } catch {
        client.hasUntoldLocation = false
        log.warning("\(error)")
      }
    }
    if waiting.isEmpty { alarm?.set(nil) }
  }
}
