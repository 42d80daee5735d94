import PlaceCore
import Testing

@testable import locationd_places

@Suite("Questions that wait for their turn") struct TurnQueueTests {
  private func all(_ queue: TurnQueue<String>) -> [String] {
    var queue = queue
    return Array(sequence(state: ()) { _ in queue.next() })
  }

  @Test("users have one turn each, however many questions wait of each")
  func turns() {
    var queue = TurnQueue<String>()
    for number in 0..<5 { queue.add("a\(number)", of: .uid(1)) }
    queue.add("b0", of: .uid(2))
    queue.add("c0", of: .uid(3))
    #expect(all(queue) == ["a0", "b0", "c0", "a1", "a2", "a3", "a4"])
  }

  @Test("what is dropped has no turn, nor has its user where nothing else waits")
  func dropped() {
    var queue = TurnQueue<String>()
    for number in 0..<4 { queue.add("a\(number)", of: .uid(1)) }
    queue.add("b0", of: .uid(2))
    #expect(queue.drop(of: .uid(1)) { $0 < "a2" } == 2)
    #expect(queue.drop(of: .uid(2)) { _ in true } == 1)
    #expect(queue.drop(of: .uid(3)) { _ in true } == 0)
    #expect(all(queue) == ["a2", "a3"])
    #expect(queue.drop(of: .uid(1)) { _ in true } == 2)
    #expect(queue.isEmpty)
  }
}
