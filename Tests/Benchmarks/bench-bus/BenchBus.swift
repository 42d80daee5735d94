import BenchSupport
import CBusBaseline
import DBus
import Glibc
import LocationModel
import Platform

/// The cost of a fix that is told to many over D-Bus: `dbus-run-session -- bench-bus`.
///
/// Everyone is on one thread; only the teller's part is counted, its turn of the loop included. Beside
/// it a bare C sender of the same messages, which does nothing else and has no loop.
@main struct BenchBus {
  static func main() throws {
    let loop = try EventLoop()
    let listeners = try EventLoop()
    let teller = try BusConnection(to: .session, on: loop) { _ in }
    var heard = 0
    let clients = try (0..<50).map { _ in
      let client = try BusConnection(to: .session, on: listeners) { _ in }
      client.signals = { _ in heard += 1 }
      return client
    }
    let patience = Clock.boottime + .seconds(5)
    while teller.uniqueName == nil || clients.contains(where: { $0.uniqueName == nil }) {
      try loop.turn(within: .milliseconds(1))
      try listeners.turn(within: .milliseconds(1))
      guard Clock.boottime < patience else { fail("no bus: use dbus-run-session") }
    }
    guard let bare = cbus_open() else { fail("no bus: use dbus-run-session") }
    defer { cbus_close(bare) }
    let names = clients.compactMap(\.uniqueName)
    let recipients = try names.map { try BusRecipient($0, of: "/org/locationd/client/1") }
    let bareNames = names.map { UnsafePointer(strdup($0)) }
    // The optimizer would let go of them here.
    defer { withExtendedLifetime((clients, bareNames)) {} }

    for (pause, rounds) in [(100_000 as UInt32, Figures.isQuick ? 5 : 30), (0, 2000)] {
      for count in [1, 50] {
        var (costs, delays) = (Pairs(), Pairs())
        for round in 0..<rounds {
          var cost: [Double] = []
          var delay: [Double] = []
          for isBare in [false, true] {
            usleep(pause)
            heard = 0
            let start = Clock.boottime
            let before = threadTime()
            if isBare {
              cbus_tell(bare, bareNames, Int32(count), Double(round))
            } else {
              let signal = try moved(Double(round))
              teller.gather {
                for recipient in recipients.prefix(count) { teller.send(signal, to: recipient) }
              }
              try loop.turn(within: .zero)
            }
            cost.append(Double(threadTime() - before) / 1e3)
            while heard < count {
              guard Clock.boottime < start + .seconds(5) else { fail("a signal is lost") }
              try listeners.turn(within: .seconds(1))
            }
            delay.append(Clock.boottime.seconds(since: start) * 1e6)
          }
          costs.add(cost[0], beside: cost[1])
          delays.add(delay[0], beside: delay[1])
        }
        let name =
          "\(count) client\(count > 1 ? "s" : ""), \(pause == 0 ? "back to back" : "10 Hz")"
        Figures.say("processor time of a signal to \(name)", costs, "µs", beside: peer, bar(count))
        Figures.say("signal heard by \(name)", delays, "µs", beside: peer)
      }
    }
    Figures.end()
  }

  private static let peer = "a bare C sender"

  /// A loop and a queue for slow clients cost so much more.
  private static func bar(_ count: Int) -> Bar { .atMostOfPeer(count == 1 ? 3 : 1.5) }

  private static func fail(_ words: String) -> Never {
    print(words)
    exit(1)
  }

  /// As many entries as a location has.
  static func moved(_ number: Double) throws(BusError) -> BusSignal {
    try BusSignal("org.locationd.Client1", "DidUpdateLocations") { (body) throws(BusError) in
      try body.array(of: "a{sv}") { (locations) throws(BusError) in
        try locations.dictionary { (location) throws(BusError) in
          try location.set("latitude", 55.074673983)
          try location.set("longitude", 38.899854633)
          try location.set("altitude", 1240.5)
          try location.set("ellipsoidalAltitude", 1254.25)
          try location.set("horizontalAccuracy", 4.5)
          try location.set("verticalAccuracy", 7.5)
          try location.set("speed", number)
          try location.set("speedAccuracy", 0.5)
          try location.set("course", 271.5)
          try location.set("courseAccuracy", 2.5)
          try location.set("timestamp", Int64(1_700_000_000_000_000))
          try location.set("simulated", false)
          try location.set("source", "nmea")
        }
      }
      try body.string("standard")
      try body.uint64(0)
    }
  }

  static func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
