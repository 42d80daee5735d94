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
      queue.append(.close(client))
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
    queue.append(.close(1))
    #expect(Self.all(&queue) == [.client(2, .nmea, place: nil), .close(1)])
  }
}
