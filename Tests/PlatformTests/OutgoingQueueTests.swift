import Testing

@testable import Platform

@Suite("OutgoingQueue") struct OutgoingQueueTests {
  private func drained(_ queue: inout OutgoingQueue, atMost: Int = .max) -> String {
    var out: [UInt8] = []
    var left = atMost
    queue.drain { bytes in
      let count = min(bytes.count, left)
      out += bytes.prefix(count)
      left -= count
      return count
    }
    return String(decoding: out, as: UTF8.self)
  }

  @Test("lines come out in order, however little is taken at a time", arguments: 1...7)
  func order(step: Int) {
    var queue = OutgoingQueue()
    for line in ["one\n", "two\n", "three\n"] { queue.append(Array(line.utf8)) }
    #expect(queue.count == 14)
    var text = ""
    while !queue.isEmpty { text += drained(&queue, atMost: step) }
    #expect(text == "one\ntwo\nthree\n")
    #expect(queue.count == 0)
  }

  @Test("many short lines count for the memory that they take, until they are gone")
  func held() {
    var queue = OutgoingQueue()
    for _ in 0..<100 { queue.append([1, 2]) }
    #expect(queue.count == 200 && queue.held > 100 * 64)
    #expect(drained(&queue, atMost: 100).utf8.count == 100)
    #expect(queue.held < 100 * 64)
    while !queue.isEmpty { _ = drained(&queue) }
    #expect(queue.held == 0)
  }

  @Test("of what can be replaced only the newest waits")
  func replaced() {
    var queue = OutgoingQueue()
    queue.append(Array("a1\n".utf8), replaceable: 1)
    queue.append(Array("b1\n".utf8), replaceable: 2)
    queue.append(Array("keep\n".utf8))
    queue.append(Array("a2\n".utf8), replaceable: 1)
    queue.append(Array("a3\n".utf8), replaceable: 1)
    #expect(queue.count == 11)
    #expect(drained(&queue) == "b1\nkeep\na3\n")
  }

  @Test("a line that is under way is never replaced or forgotten")
  func underWay() {
    var queue = OutgoingQueue()
    queue.append(Array("a1\n".utf8), sent: 1, replaceable: 1)
    queue.append(Array("a2\n".utf8), replaceable: 1)
    queue.append(Array("a3\n".utf8), replaceable: 1)
    #expect(queue.count == 5)
    queue.removeWhole()
    #expect(queue.count == 2)
    queue.append(Array("end\n".utf8))
    #expect(drained(&queue) == "1\nend\n")
  }

  @Test("it forgets what was sent while more keeps coming")
  func steady() {
    var queue = OutgoingQueue()
    queue.append(Array("x\n".utf8))
    for _ in 0..<10_000 {
      queue.append(Array("x\n".utf8))
      #expect(drained(&queue, atMost: 2) == "x\n")
    }
    #expect(queue.count == 2)
  }
}
