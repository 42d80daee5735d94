import Glibc
import LocationModel
import Testing

@testable import Platform

private final class Pipe {
  let reader: Descriptor
  private let writer: Descriptor

  init() throws {
    let ends = try Descriptor.pipe()
    reader = Descriptor(owning: ends.reading)
    writer = Descriptor(owning: ends.writing)
  }

  func fill() { _ = write(writer.number, "x", 1) }
}

@Suite("EventLoop") struct EventLoopTests {
  @Test("a timer rings when it is due, not before, and not once it is taken back")
  func timers() throws {
    let loop = try EventLoop()
    let start = Clock.boottime
    var rang: [Boottime] = []
    let never = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { rang.append(.start) }
    let second = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) {
      rang.append(Clock.boottime)
      loop.stop()
    }
    let first = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) {
      rang.append(Clock.boottime)
      second.set(start + .milliseconds(20))
      never.set(nil)
    }
    never.set(start + .milliseconds(15))
    first.set(start + .milliseconds(10))
    try loop.run()
    withExtendedLifetime((never, first, second)) {}
    #expect(rang.count == 2)
    #expect(rang[0] >= start + .milliseconds(10))
    #expect(rang[1] >= start + .milliseconds(20))
  }

  @Test("a timer that is set for the end of time does not ring")
  func endOfTime() throws {
    let loop = try EventLoop()
    let never = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { Issue.record("it rang") }
    let soon = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { loop.stop() }
    never.set(.never)
    soon.set(Clock.boottime + .milliseconds(10))
    try loop.run()
    withExtendedLifetime((never, soon)) {}
  }

  @Test("a descriptor is told ready, until its watch is let go of")
  func watches() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var seen = 0
    var watch: EventLoop.Watch?
    watch = try EventLoop.Watch(pipe.reader, for: .read, on: loop) { readiness in
      #expect(readiness.contains(.read))
      seen += 1
      if seen == 2 { watch = nil }
    }
    let end = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { loop.stop() }
    end.set(Clock.boottime + .milliseconds(30))
    pipe.fill()
    try loop.run()
    withExtendedLifetime((watch, end, pipe)) {}
    #expect(seen == 2)
  }

  @Test("a watch may let go of itself while it is being told")
  func letsGo() throws {
    let loop = try EventLoop()
    var timer: EventLoop.Timer?
    timer = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) {
      timer = nil
      loop.stop()
    }
    timer?.set(.start)
    try loop.run()
    #expect(timer == nil)
  }

  @Test("a watch may let go of itself and its descriptor be watched anew, all while it is told")
  func anew() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    pipe.fill()
    var told = 0
    var watch: EventLoop.Watch?
    watch = try EventLoop.Watch(pipe.reader, for: .read, on: loop) { _ in
      watch = nil
      watch = try? EventLoop.Watch(pipe.reader.number, for: .read, on: loop) { _ in
        told += 1
        loop.stop()
      }
      if watch == nil { loop.stop() }
    }
    try loop.run()
    withExtendedLifetime((watch, pipe)) {}
    #expect(told == 1)
  }

  /// The processor's, not a sleep.
  private func work(_ time: Duration) {
    let end = Clock.boottime + time
    while Clock.boottime < end {}
  }

  @Test("a timer and a signal come before what is put off again and again")
  func putOff() throws {
    let loop = try EventLoop()
    var (turns, rang, came) = (0, 0, 0)
    var later: EventLoop.Later?
    later = try EventLoop.Later(on: loop) { [unowned loop] in
      turns += 1
      work(.milliseconds(2))
      if turns == 2 { pthread_kill(pthread_self(), SIGUSR2) }
      if turns == 500 { loop.stop() } else { later?.set() }
    }
    let signal = try EventLoop.SignalWatch(SIGUSR2, on: loop) { came = turns }
    let timer = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { rang = turns }
    timer.set(Clock.boottime + .milliseconds(10))
    later?.set()
    try loop.run()
    withExtendedLifetime((signal, timer)) {}
    #expect((2...4).contains(came) && (1...50).contains(rang), "\(came), \(rang)")
    later = nil
  }

  @Test("descriptors that are ready have as much time as what is put off, and no more")
  func share() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    pipe.fill()
    var reads = 0
    let watch = try EventLoop.Watch(pipe.reader, for: .read, on: loop) { _ in
      reads += 1
      work(.milliseconds(1))
    }
    var turns: [(start: Boottime, end: Boottime)] = []
    var later: EventLoop.Later?
    later = try EventLoop.Later(on: loop) { [unowned loop] in
      let start = Clock.boottime
      work(.milliseconds(20))
      turns.append((start, Clock.boottime))
      if turns.count == 5 { loop.stop() } else { later?.set() }
    }
    later?.set()
    try loop.run()
    withExtendedLifetime((watch, pipe)) {}
    for (before, next) in zip(turns, turns.dropFirst()) {
      #expect(next.start - before.end >= before.end - before.start)
    }
    #expect(reads >= 5 && turns.count == 5)
    later = nil
  }

  @Test("what is put off and taken back, or let go of, is not done")
  func takenBack() throws {
    let loop = try EventLoop()
    let never = try EventLoop.Later(on: loop) { Issue.record("it was done") }
    var gone: EventLoop.Later? = try EventLoop.Later(on: loop) { Issue.record("it was done") }
    let last = try EventLoop.Later(on: loop) { loop.stop() }
    never.set()
    gone?.set()
    last.set()
    last.set()
    never.cancel()
    gone = nil
    try loop.run()
    withExtendedLifetime((never, last)) {}
  }

  @Test("a signal comes as an event")
  func signals() throws {
    let loop = try EventLoop()
    var came = false
    let watch = try EventLoop.SignalWatch(SIGUSR2, on: loop) {
      came = true
      loop.stop()
    }
    let send = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) {
      pthread_kill(pthread_self(), SIGUSR2)
    }
    send.set(.start)
    try loop.run()
    withExtendedLifetime((watch, send)) {}
    #expect(came)
  }
}

@Suite("UnixListener") struct UnixListenerTests {
  @Test("a path that is too long, or whose folder is missing, is refused with its name")
  func paths() {
    #expect {
      _ = try UnixListener(path: "/tmp/" + String(repeating: "x", count: 200))
    } throws: {
      ($0 as? SystemError)?.number == ENAMETOOLONG
    }
    #expect {
      _ = try UnixListener(path: "/nonexistent/deeper/socket")
    } throws: {
      "\($0)".contains("/nonexistent/deeper/socket: No such file")
    }
  }
}
