import Platform

/// Tells clients that their property `Location` has changed: after `LocationUpdated`, which all of them
/// listen to, and at most every ten seconds, for it costs as much. It is for libraries that keep
/// properties; what they keep can be read for longer than that.
final class LocationProperties {
  private struct Waiting {
    weak var client: GeoClueClient?
  }

  private var waiting: [Waiting] = []
  private var since: Int64 = 0
  private var isPausing = false
  private var alarm: EventLoop.Timer?
  private let log: Log
  /// A little less than ten of what most receivers take for a fix.
  private static let pause: Int64 = 9_900_000_000

  init(on loop: EventLoop, _ log: Log) {
    self.log = log
    alarm = try? EventLoop.Timer(slack: 100_000_000, on: loop) { [unowned self] in
      isPausing = false
      tell()
    }
  }

  func note(_ client: GeoClueClient) {
    guard !client.hasUntoldLocation else { return }
    client.hasUntoldLocation = true
    waiting.append(Waiting(client: client))
  }

  /// Tells those that wait, if it is time to.
  func tell() {
    guard !waiting.isEmpty else { return }
    let now = Clock.boottime
    guard now - since >= Self.pause else { return wait() }
    since = now
    waiting = told(waiting)
    if !waiting.isEmpty { wait() }
  }

  private func wait() {
    if !isPausing { alarm?.set(since + Self.pause) }
    isPausing = true
  }

  /// Gives those that have to wait on.
  private func told(_ all: [Waiting]) -> [Waiting] {
    var made: (newest: ToldLocation, signal: BusSignal)?
    return all.filter { one in
      guard let client = one.client else { return false }
      // Of one whose place was taken away that has been said.
      client.hasUntoldLocation = client.told.newest != nil
      guard let newest = client.told.newest else { return false }
      do throws(BusError) {
        if made?.newest !== newest { made = (newest, try GeoClue.changed(to: newest)) }
        guard let signal = made?.signal else { return false }
        return !client.tellLocation(by: signal)
      } catch {
        log.warning("\(error)")
        return false
      }
    }
  }
}
