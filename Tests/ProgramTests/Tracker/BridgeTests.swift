import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A broker that passes the track on", .timeLimit(.minutes(60))) struct BridgeTests {
  private static let count = 400

  /// A broker that passes all that it hears on to another, also what came while that was away.
  private static func bridge(to port: Int) throws -> RunningBroker {
    try RunningBroker(
      """
      allow_anonymous true
      connection other
      address 127.0.0.1:\(port)
      topic owntracks/# out 1
      cleansession false
      restart_timeout 1

      """)
  }

  @Test(
    "through a bridge each entry arrives in order, though either broker and the tracker are killed")
  func bridged() throws {
    let far = try RunningBroker()
    let near = try Self.bridge(to: far.port)
    let subscriber = try Subscriber(far)
    let board = try Board("van", near, entries: Self.count, more: "Batch=8")
    // Two brokers wait: each may lose what it acknowledged in its last moment.
    var mark = 0
    func settle() throws {
      mark += 1
      try subscriber.takeAll(of: near, mark, within: patience)
    }
    try settle()
    try board.start()
    var twice = [0]
    for (round, victim) in ["near", "far", "tracker", "far", "near"].enumerated() {
      let enough = Self.count * (round + 1) / 6
      try #require(
        eventually(within: patience) {
          subscriber.listen()
          return subscriber.numbers(of: "van").count >= enough
        })
      board.program.signal(SIGSTOP)
      try settle()
      switch victim {
      case "near":
        try near.kill()
        try near.startAgain()
      case "far":
        try far.kill()
        try far.startAgain()
      default:
        try board.kill()
        try board.start()
      }
      board.program.signal(SIGCONT)
      let heard = subscriber.numbers(of: "van")
      twice.append(heard.count - Set(heard).count)
    }
    let whole = Set(1...Int64(Self.count))
    _ = eventually(within: patience) {
      subscriber.listen()
      return whole.isSubset(of: subscriber.numbers(of: "van"))
    }
    let heard = subscriber.numbers(of: "van")
    #expect(Set(heard) == whole, "\(whole.subtracting(heard).sorted())")
    var seen: Set<Int64> = []
    let told = heard.filter { seen.insert($0).inserted }
    // A bridge that comes back begins with the newest place, which the broker retains.
    let early = zip(told, told.dropFirst()).filter(>).map(\.0)
    #expect(early.count <= 5, "\(early)")
    let others = told.filter { !early.contains($0) }
    #expect(others == others.sorted())
    // Under way at each kill are a window of the tracker's, and one of the bridge's, which is mosquitto's usual one.
    #expect(heard.count - seen.count <= 5 * (16 + 20), "\(twice)")
  }

  /// A wire to a broker, which is cut with SIGUSR1; a line says that it was.
  private static func wire(to port: Int) throws -> (Program, Int) {
    let script = """
      import selectors, signal, socket
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      choice, others = selectors.DefaultSelector(), {}
      choice.register(listener, selectors.EVENT_READ)
      def drop(end):
        for it in {end, others.pop(end, end)}:
          others.pop(it, None)
          choice.unregister(it)
          it.close()
      def cut(*rest):
        for end in list(others):
          if end in others: drop(end)
        print("cut", flush=True)
      signal.signal(signal.SIGUSR1, cut)
      while True:
        for key, _ in choice.select():
          if key.fileobj is listener:
            near, far = listener.accept()[0], socket.create_connection(("127.0.0.1", \(port)))
            others.update({near: far, far: near})
            for end in (near, far): choice.register(end, selectors.EVENT_READ)
          elif key.fileobj in others:
            try:
              data = key.fileobj.recv(512)
              others[key.fileobj].sendall(data)
            except OSError: data = b""
            if not data: drop(key.fileobj)
      """
    let program = try Program(["python3", "-c", script])
    return (program, try #require(Int(try program.line())))
  }

  /// A bridge of mosquitto 2.0.11 hands messages on in another order once its connection was lost in its work: the
  /// order that the tracker keeps is that of the broker which it speaks to.
  @Test(
    "a bridge whose connection is cut in its work loses nothing; the first broker has all in order")
  func cut() throws {
    let far = try RunningBroker()
    let (wire, port) = try Self.wire(to: far.port)
    defer { wire.signal(SIGKILL) }
    let near = try Self.bridge(to: port)
    let (first, last) = (try Subscriber(near), try Subscriber(far))
    let board = try Board("van", near, entries: Self.count, more: "Batch=8\nRate=100/s")
    try last.takeAll(of: near, 1, within: patience)
    try board.start()
    for part in 1...4 {
      try #require(
        eventually(within: patience) {
          last.listen()
          return last.numbers(of: "van").count >= Self.count * part / 5
        })
      wire.signal(SIGUSR1)
      #expect(try wire.line() == "cut")
    }
    let whole = Set(1...Int64(Self.count))
    #expect(
      eventually(within: patience) {
        first.listen()
        last.listen()
        return whole.isSubset(of: last.numbers(of: "van"))
          && first.numbers(of: "van").count == Self.count
      })
    #expect(first.numbers(of: "van") == Array(1...Int64(Self.count)))
    var (newest, late) = (Int64(0), 0)
    var seen: Set<Int64> = []
    for number in last.numbers(of: "van") where seen.insert(number).inserted {
      late += number < newest ? 1 : 0
      newest = max(newest, number)
    }
    print("the bridge was cut four times: \(late) of \(Self.count) were told after later ones")
  }
}
