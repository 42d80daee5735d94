import Foundation
import Glibc
import LocationModel
import Synchronization
import TestSupport
import Testing

/// Debian's chromium, with what drives it. To start both takes longer than most of what is done in them, so that
/// they are used again.
// Unchecked: one test has it at a time.
final class Browser: @unchecked Sendable {
  private let program: TalkingProgram

  /// Browsers that have nothing to do. A few are kept, for the memory that each takes.
  private static let idle: Mutex<[Browser]> = {
    atexit { Browser.idle.withLock { $0.removeAll() } }
    return Mutex([])
  }()
  private static let most = 3

  private init() throws {
    program = try TalkingProgram(
      ["/usr/bin/python3", MapOnScreen.script("serve")],
      environment: MapOnScreen.environment)
  }

  deinit {
    program.finish()
    _ = program.exit(within: 10)
  }

  /// The output of a script of Tests/Browser, in a window of its own.
  static func run(
    _ script: String, _ arguments: [String], environment: [String: String]
  ) throws -> (text: String, passed: Bool) {
    let browser = try idle.withLock { $0.popLast() } ?? Browser()
    let variables = environment.map { JSON.Member(key: $0.key, value: .string($0.value)) }
    let asked: JSON = [
      "script": .string(script), "arguments": .array(arguments.map(JSON.string)),
      "environment": .object(variables),
    ]
    browser.program.tell(asked)
    let done = try browser.program.line(within: patience * 5)
    guard done["passed"]?.bool == true else { return (done["text"]?.string ?? "", false) }
    idle.withLock { if $0.count < most { $0.append(browser) } }
    return (done["text"]?.string ?? "", true)
  }
}
