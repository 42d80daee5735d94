import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Processes") struct ProcessHandleTests {
  @Test("a process that lives is seen as it is")
  func living() throws {
    let child = try Child(["sleep", "600"])
    let sight = try #require(child.sight())
    #expect(sight.command == "sleep")
    #expect(sight.cgroup == (try File.bytes(of: "/proc/self/cgroup", atMost: 65536)))
    #expect(!sight.hasOwnUsers)
    #expect(!sight.hasTerminal)
  }

  @Test("of one that has ended nothing is said, before its parent heeds it and after")
  func ended() throws {
    let child = try Child(["sleep", "600"])
    guard let handle = ProcessHandle.of(child.pid, uid: getuid()) else { throw Missing() }
    let lived = handle.lives
    #expect(lived)
    kill(child.pid, SIGKILL)
    let noticed = eventually { !handle.lives }
    #expect(noticed)
    #expect(handle.look() == nil)
    #expect(child.sight() == nil)
    child.end()
    #expect(handle.look() == nil)
    let gone = ProcessHandle.of(child.pid, uid: getuid()) == nil
    #expect(gone)
  }

  @Test(
    "whoever is given its number is not taken for it",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
  func reused() throws {
    let child = try Child(["sleep", "600"])
    guard let handle = ProcessHandle.of(child.pid, uid: 0) else { throw Missing() }
    child.end()
    let heir = try Child(
      ["python3", "-c", Self.takeNumber, "\(child.pid)"], output: .pipe)
    #expect(try heir.line() == "\(child.pid)")
    #expect(child.sight()?.command == "python3")
    let lives = handle.lives
    #expect(!lives)
    #expect(handle.look() == nil)
  }

  /// clone3 with a number of our choice: struct clone_args, whose 5th is SIGCHLD. It lives as long as
  /// its parent.
  private static let takeNumber = """
    import ctypes, os, signal, sys
    number = ctypes.c_int(int(sys.argv[1]))
    libc = ctypes.CDLL(None)
    wishes = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17, 0, 0, 0, ctypes.addressof(number), 1, 0)
    if libc.syscall(435, wishes, 88) == 0:
      libc.prctl(1, signal.SIGKILL)
      print(os.getpid(), flush=True)
    signal.pause()
    """

  @Test("a number is only believed of the user who had it")
  func otherUser() throws {
    let child = try Child(["sleep", "600"])
    for (pid, uid) in [(child.pid, getuid() + 1), (0, getuid()), (-1, getuid()), (.max, getuid())] {
      let isNone = ProcessHandle.of(pid, uid: uid) == nil
      #expect(isNone)
    }
  }

  @Test("a name that looks like other words of the kernel's is only a name")
  func hostileName() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "name-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "a) Z 0 (\n0 0 4").path
    // Not by this process: it would be held open for writing by what other tests start meanwhile.
    try #require(Child(["install", "-m", "755", "/bin/sleep", program]).exit() == 0)
    let child = try Child([program, "600"])
    let sight = try #require(child.sight())
    #expect(sight.command == "a) Z 0 (\n0 0 4")
    #expect(!sight.hasTerminal)
  }

  static let mayMakeUsers = {
    (try? Child(["unshare", "--user", "true"]))?.exit() == 0
  }()

  @Test("one with users of its own is in some box", .enabled(if: mayMakeUsers, "not allowed here"))
  func ownUsers() throws {
    let child = try Child(["unshare", "--user", "--map-current-user", "sleep", "600"])
    let isSeen = eventually { child.sight()?.command == "sleep" }
    #expect(isSeen)
    #expect(child.sight()?.hasOwnUsers == true)
  }

  @Test("one on a terminal is seen to be")
  func terminal() throws {
    let child = try Child(
      ["script", "--quiet", "--command", "echo $$; exec sleep 600", "/dev/null"], output: .pipe)
    let pid = try #require(Int32(child.line().trimmingCharacters(in: .whitespacesAndNewlines)))
    let sight = ProcessHandle.of(pid, uid: getuid())?.look()
    #expect(sight?.hasTerminal == true)
  }

  @Test(
    "what the kernel does not say so is not guessed at",
    arguments: [
      "", "1 sleep S 1", "1 (sleep", "1 )sleep( S 1 1 1 0 1 0", "1 (sleep) S 1 1 1 0",
      "1 (a) S 1 1 1 x 1 0",
    ])
  func nonsense(text: String) {
    #expect(ProcessState(Array(text.utf8)) == nil)
    #expect(ProcessStatus(Array(text.utf8)) == nil)
  }

  @Test("an end that has begun is an end")
  func ending() {
    func lives(_ text: String) -> Bool? { ProcessState(Array(text.utf8))?.lives }
    #expect(lives("1 (a) S 1 1 1 0 1 4194304 0") == true)
    #expect(lives("1 (a) R 1 1 1 0 1 4194308 0") == false)
    #expect(lives("1 (a) Z 1 1 1 0 1 4194304 0") == false)
  }
}

private struct Missing: Error {}

extension Child {
  func sight() -> ProcessSight? { ProcessHandle.of(pid, uid: getuid())?.look() }
}
