import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A daemon that hangs beside its share") struct ShareHungTests {
  /// A program begins and ceases to watch, each time answered; then others come and go.
  private static let storm = """
    import signal, socket, sys
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    def come(words):
        one = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        one.sendall(words)
        return one
    one = come(b"?VERSION;")
    lines = one.makefile()
    while "VERSION" not in lines.readline(): pass
    print("there", flush=True)
    signal.sigwait({signal.SIGUSR1})
    for i in range(10000):
        one.sendall(b'?WATCH={"enable":%s,"json":true};' % (b"true", b"false")[i % 2])
        while "WATCH" not in lines.readline(): pass
    for _ in range(500): come(b'?WATCH={"enable":true};').close()
    print("done", flush=True)
    signal.sigwait({signal.SIGUSR1})
    """

  @Test("lets storms of programs wait in little memory, and what was watched goes on after it")
  func hung() throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send("?WATCH={\"enable\":true,\"json\":true};")
    try share.grant()
    #expect(client.hears("\"lat\":"))
    let storm = try Program(["/usr/bin/python3", "-c", Self.storm, "\(share.port)"])
    #expect(try storm.line() == "there")
    share.daemon.program.signal(SIGSTOP)
    defer { share.daemon.program.signal(SIGCONT) }
    try #require(eventually(within: patience) { ShareTests.isStopped(share.daemon.program) })
    let before = (memory: try share.program.heldMemory, files: try files(of: share.program))
    storm.signal(SIGUSR1)
    #expect(try storm.line(within: patience) == "done")
    client.read()
    client.forget()
    let more = try share.program.heldMemory - before.memory
    #expect(more < 1 << 10, "kilobytes; 500 programs that came and went are 624 of them")
    share.daemon.program.signal(SIGCONT)
    #expect(client.hears("\"lat\":"))
    #expect(try eventually(within: patience) { try self.files(of: share.program) <= before.files })
    let next = try share.connect()
    next.send("?VERSION;")
    #expect(next.hears("\"VERSION\""))
  }

  private func files(of program: Program) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd").count
  }
}
