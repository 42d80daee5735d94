import LocationModel
import Testing

@testable import ShareCore

@Suite("Requests that wait for the daemon") struct RequestQueueTests {
  private static func all(_ queue: inout RequestQueue<String>) -> [ShareRequest] {
    var all: [ShareRequest] = []
    while let (request, _) = queue.next() { all.append(request) }
    return all
  }

  @Test("a program that begins and ceases to watch has one request, the newest")
  func storm() {
    var queue = RequestQueue<String>()
    queue.append(.watch(2, isOn: true))
    for i in 0..<10_000 { queue.append(.watch(1, isOn: i % 2 == 0)) }
    #expect(queue.count == 2)
    #expect(Self.all(&queue) == [.watch(2, isOn: true), .watch(1, isOn: false)])
  }

  @Test(
    "a program that comes and goes before the daemon knows it leaves nothing, not even its connection"
  )
  func gone() {
    var queue = RequestQueue<String>()
    for client in 1...1000 as ClosedRange<Int64> {
      queue.append(.client(client, .gpsd, place: nil), with: "\(client)")
      if client == 500 { continue }
      queue.append(.watch(client, isOn: true))
      queue.append(.close(client, isSlow: false))
    }
    let left = queue.next()
    #expect(left?.request == .client(500, .gpsd, place: nil) && left?.connection == "500")
    #expect(queue.next() == nil)
  }

  @Test("the daemon is told that a program is gone which it knows, and that alone")
  func known() {
    var queue = RequestQueue<String>()
    queue.append(.client(1, .nmea, place: nil), with: "1")
    #expect(queue.next()?.connection == "1")
    queue.append(.watch(1, isOn: true))
    queue.append(.client(2, .nmea, place: nil), with: "2")
    queue.append(.close(1, isSlow: true))
    #expect(Self.all(&queue) == [.client(2, .nmea, place: nil), .close(1, isSlow: true)])
  }
}

@Suite("Programs that do not read") struct SlowReadersTests {
  /// The program that goes, of those with these users and bytes.
  private static func first(_ programs: [(user: UInt32?, bytes: Int)]) -> Int64? {
    var slow = SlowReaders()
    for (i, program) in programs.enumerated() {
      slow.add(Int64(i), of: program.user, holding: program.bytes)
    }
    return slow.first
  }

  @Test("are let go where one user's hold most, and another's stay, though each holds more")
  func fair() {
    let crowd: [(user: UInt32?, bytes: Int)] = (0..<250).map { (1000, 30_000 + $0) }
    #expect(Self.first(crowd + [(1001, 64_000)]) == 249)
    #expect(Self.first([(1001, 64_000)] + crowd) == 250)
    #expect(Self.first([(1000, 10), (1001, 64_000), (1001, 65_000)]) == 2)
  }

  @Test("are one user's until the daemon has told whose they are")
  func unknown() {
    #expect(Self.first([(nil, 20_000), (nil, 30_000), (1000, 40_000)]) == 1)
    #expect(Self.first([]) == nil)
  }
}
