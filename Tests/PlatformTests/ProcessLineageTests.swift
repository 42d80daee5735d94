import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("Where a process comes from") struct ProcessLineageTests {
  private func mark(of pid: Int32) throws -> ProcessMark {
    ProcessMark(pid: pid, startTime: try #require(Platform.Process.startTime(of: pid)))
  }

  private func sight(of pid: Int32) -> ProcessSight? {
    ProcessHandle.of(pid, uid: getuid())?.look()
  }

  @Test("a process is told with its ancestors, each as it began, up to the first")
  func ancestors() throws {
    let shell = try Child(["sh", "-c", "sleep 600 & echo $!; wait"], output: .pipe)
    let sleeper = try #require(Int32(shell.line().trimmingCharacters(in: .whitespacesAndNewlines)))
    let lineage = try #require(sight(of: sleeper)?.lineage)
    let own = [sleeper, shell.pid, getpid(), getppid()]
    #expect(lineage.prefix(4) == (try own.map(mark))[...])
    let first = try #require(lineage.last)
    let stat = try #require(ProcessState(File.bytes(of: "/proc/\(first.pid)/stat", atMost: 4096)))
    #expect(stat.parent == 0)
    kill(sleeper, SIGKILL)
  }

  @Test("one whose parent has gone is the child of whoever took it on")
  func orphan() throws {
    let shell = try Child(["sh", "-c", "(sleep 600 & echo $!)"], output: .pipe)
    let sleeper = try #require(Int32(shell.line().trimmingCharacters(in: .whitespacesAndNewlines)))
    _ = shell.exit()
    let lineage = try #require(sight(of: sleeper)?.lineage)
    #expect(lineage.first?.pid == sleeper)
    #expect(!lineage.contains { $0.pid == shell.pid || $0.pid == getpid() })
    kill(sleeper, SIGKILL)
  }

  @Test("more ancestors than anybody needs are not told at all")
  func deep() throws {
    let script =
      "n=$1; [ $n = 0 ] && { echo $$; exec sleep 600; }; sh -c \"$2\" sh $((n - 1)) \"$2\"; :"
    let child = try Child(["sh", "-c", script, "sh", "70", script], output: .pipe)
    let deepest = try #require(Int32(child.line().trimmingCharacters(in: .whitespacesAndNewlines)))
    let seen = try #require(sight(of: deepest))
    #expect(seen.lineage == nil)
    kill(deepest, SIGKILL)
  }

  @Test("while ancestors end, what is told was so at one time")
  func ending() throws {
    // Each shell in turn ends and leaves its child to somebody else.
    let script = """
      n=$1; [ $n = 0 ] && { echo $$; exec sleep 600; }
      sh -c "$2" sh $((n - 1)) "$2" & sleep 0.$n
      """
    let child = try Child(["sh", "-c", script, "sh", "9", script], output: .pipe)
    let deepest = try #require(Int32(child.line().trimmingCharacters(in: .whitespacesAndNewlines)))
    guard let handle = ProcessHandle.of(deepest, uid: getuid()) else { return }
    var lengths: Set<Int> = []
    let isAlone = eventually {
      guard let lineage = handle.look()?.lineage else { return false }
      lengths.insert(lineage.count)
      // Each was the parent of the one before.
      let isOrdered = zip(lineage, lineage.dropFirst()).allSatisfy { $0.startTime >= $1.startTime }
      #expect(lineage.first?.pid == deepest && isOrdered)
      return !lineage.contains { $0.pid == child.pid }
    }
    #expect(isAlone)
    #expect(lengths.count > 1)
    kill(deepest, SIGKILL)
  }

  @Test(
    "one that has another number inside is in some box",
    .enabled(if: ProcessHandleTests.mayMakeUsers, "not allowed here"))
  func ownProcesses() throws {
    let users = getuid() == 0 ? [] : ["--user", "--map-root-user"]
    let box = try Child(["unshare"] + users + ["--pid", "--fork", "--kill-child", "sleep", "600"])
    var inside: Int32?
    let isThere = eventually {
      let children = try? kernelText("/proc/\(box.pid)/task/\(box.pid)/children")
      inside = children?.split(separator: " ").first.flatMap { Int32($0) }
      return inside.flatMap { sight(of: $0)?.command } == "sleep"
    }
    #expect(isThere)
    let seen = try #require(inside.flatMap { sight(of: $0) })
    #expect(seen.hasOwnProcesses)
    #expect(seen.lineage?.contains { $0.pid == box.pid } == true)
    #expect(box.sight()?.hasOwnProcesses == false)
  }

  @Test("the numbers of a process are counted, whatever else its status says")
  func numbers() {
    func count(_ text: String) -> Int? { ProcessStatus(Array(text.utf8))?.numberCount }
    #expect(count("Name:\tx\nUid:\t0\t0\t0\t0\nNSpid:\t12\n") == 1)
    #expect(count("Name:\tx\nUid:\t0\t0\t0\t0\nNSpid:\t12\t1\nNSpgid:\t1\t2\t3\n") == 2)
    #expect(count("Name:\tNSpid:\\n1\nUid:\t0\t0\t0\t0\n") == 1)
  }
}
