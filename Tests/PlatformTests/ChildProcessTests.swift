import Glibc
import LocationModel
import TestSupport
import Testing

@testable import Platform

@Suite("Child processes", .timeLimit(.minutes(15))) struct ChildProcessTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func run(
    _ script: String, environment: [String] = [], for time: Duration = .seconds(30),
    most: Int = 1 << 20
  ) throws -> ChildProcess.Outcome {
    var outcome: ChildProcess.Outcome?
    let child = try ChildProcess(
      "/bin/sh", ["-c", script], environment: environment, until: Clock.boottime + time, most: most,
      on: loop
    ) { outcome = $0 }
    while outcome == nil { try loop.turn(within: .seconds(10)) }
    return try withExtendedLifetime(child) { try #require(outcome) }
  }

  /// Whether no process has this number, or only one that waits to be buried by another parent.
  private static func isGone(_ pid: pid_t) -> Bool {
    guard let stat = try? File.bytes(of: "/proc/\(pid)/stat", atMost: 4096) else { return true }
    return String(decoding: stat, as: UTF8.self).contains(") Z ")
  }

  private static func number(_ bytes: [UInt8]) throws -> pid_t {
    try #require(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { pid_t($0) })
  }

  @Test("its output, its complaints and its status are told, all that it said before it ended")
  func outcome() throws {
    let end = try run("head -c 300000 /dev/zero; echo no >&2; exit 7")
    #expect(end.end == .exited(7) && end.output.count == 300_000)
    #expect(end.errors == Array("no\n".utf8))
    #expect(try run("kill -TERM $$").end == .killed(SIGTERM))
  }

  @Test("it has no descriptor, signal, folder or environment of ours")
  func nothingInherited() throws {
    var ends: [Int32] = [0, 0]
    // Not close-on-exec.
    try #require(Glibc.pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let end = try run(
      "cd /proc/self/fd && echo *; pwd -P; env; grep -E 'Sig(Blk|Ign)' /proc/self/status",
      environment: ["A=b"])
    let lines = String(decoding: end.output, as: UTF8.self).split(separator: "\n")
    // The shell itself reads the folder by one more.
    #expect(lines.first == "0 1 2 3", "\(lines)")
    #expect(lines.contains("A=b") && !lines.contains { $0.hasPrefix("HOME=") })
    #expect(lines.contains("SigBlk:\t0000000000000000"))
    // Two are the C library's own, which no program may set.
    let ignored = try #require(lines.first { $0.hasPrefix("SigIgn:\t") }?.dropFirst(8))
    #expect(try #require(UInt64(ignored, radix: 16)) & ~0x1_8000_0000 == 0)
  }

  @Test("one that takes too long, or says too much, is killed with all that it started")
  func killed() throws {
    let late = try run("sleep 1000 & echo $!; wait", for: .milliseconds(300))
    #expect(late.end == .late)
    let grandchild = try Self.number(late.output)
    #expect(eventually { Self.isGone(grandchild) })
    let loud = try run("echo $$; exec cat /dev/zero", most: 1 << 20)
    #expect(loud.end == .tooMuch && loud.output.count <= 1 << 21)
    let complaining = try run("exec cat /dev/zero >&2")
    #expect(complaining.end == .tooMuch)
  }

  @Test("one that leaves a child behind is not waited for longer than itself")
  func leftBehind() throws {
    let end = try run("sleep 1000 & echo $!")
    #expect(end.end == .exited(0))
    let grandchild = try Self.number(end.output)
    #expect(eventually { Self.isGone(grandchild) })
  }

  @Test("who lets go of it ends it, and is told nothing")
  func letGo() throws {
    var pid: pid_t?
    var child: ChildProcess?
    child = try ChildProcess(
      "/bin/sh", ["-c", "echo $$; exec sleep 1000"], until: nil, most: 100, on: loop
    ) {
      pid = try? Self.number($0)
    } _: { _ in
      Issue.record("it is told")
    }
    while pid == nil { try loop.turn(within: .seconds(10)) }
    child = nil
    #expect(child == nil)
    let number = try #require(pid)
    #expect(kill(number, 0) == -1 && errno == ESRCH)
    try loop.turn(within: .milliseconds(20))
  }

  @Test("a program that is not there, or is none, is told at once")
  func missing() throws {
    for (program, number) in [("/nonexistent/program", ENOENT), ("/etc/passwd", EACCES)] {
      #expect {
        try ChildProcess(program, [], until: nil, most: 100, on: loop) { _ in }
      } throws: {
        ($0 as? SystemError)?.number == number
      }
    }
  }
}
