import Glibc
import LocationModel
import Testing

@testable import Platform

@Suite("Programs beside ours") struct SubprocessTests {
  private func lines(_ descriptor: Int32) -> [String] {
    var input = LineBuffer(longest: 100)
    var lines: [String] = []
    while case .bytes = input.read(from: descriptor) {}
    while case .text(let line)? = input.next() {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    return lines
  }

  @Test("a program reads from one pipe and writes to another")
  func pipes() throws {
    let program = try Subprocess("cat", [], input: .pipe, output: .pipe)
    #expect(program.status == nil)
    let words = Array("one\ntwo\n".utf8)
    #expect(words.withUnsafeBytes { program.input?.write($0) } == .bytes(words.count))
    program.input = nil
    #expect(lines(program.output?.number ?? -1) == ["one", "two"])
    #expect(program.wait() == 0)
  }

  @Test("its end is told, and what it complained of")
  func end() throws {
    let program = try Subprocess("sh", ["-c", "echo no >&2; exit 3"], errors: .pipe)
    #expect(lines(program.errors?.number ?? -1) == ["no"])
    #expect(program.wait() >> 8 == 3)
  }

  @Test("a program inherits neither our pipes nor another's")
  func inheritsNothing() throws {
    let first = try Subprocess("cat", [], input: .pipe)
    // Would hold the other's input open.
    let second = try Subprocess("cat", [], input: .pipe)
    first.input = nil
    #expect(first.wait() == 0)
    second.input = nil
    #expect(second.wait() == 0)
  }

  @Test("one that is not there is an error with its name")
  func missing() {
    #expect(throws: SystemError("no-such-program cannot be started", ENOENT)) {
      try Subprocess("no-such-program", [])
    }
  }
}
