import Foundation
import Glibc
import Testing

/// Where a test may become other users and put processes into control groups, whoever runs it. Root does
/// so itself. A plain user's test runs again, the whole of it, as root of namespaces of its own: there
/// are other users, those of `/etc/subuid`, and a process's control group is what is mounted over
/// `/proc/PID/cgroup`, which everything in the namespaces sees.
enum AsRoot {
  static let isInside = ProcessInfo.processInfo.environment[variable] != nil
  private static let variable = "LOCATIOND_TESTS_AS_ROOT"

  /// Nothing has to be run again.
  static let isHere = isInside || getuid() == 0 && Cgroup.roots[.unified] != nil

  static let isPossible: Bool = {
    if isHere { return true }
    let become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"]
    return (try? Program(enter(become)).exit()) == 0
  }()

  static let missing: Comment =
    "a plain user is allowed no namespaces here, or is listed in no /etc/subuid"

  /// The first process is a shell, which heeds those whose parents have gone.
  static func enter(_ command: [String]) -> [String] {
    let users = getuid() == 0 ? [] : ["--user", "--map-root-user", "--map-auto"]
    return ["unshare"] + users + [
      "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "--mount-proc",
      "sh", "-c", "\"$@\"; exit $?", "sh",
    ] + command
  }

  /// A test of this very program again, in namespaces.
  fileprivate static func run(_ test: Test) throws {
    let name = test.id.description.prefix { $0 != "/" } + "/"
    let path = test.id.description.dropFirst(name.count).split(separator: "/").dropLast()
    let pattern = NSRegularExpression.escapedPattern(for: name + path.joined(separator: "/") + "/")
    let command = [
      CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", pattern,
    ]
    let program = try Program(enter(command), environment: [variable: "1"])
    let (text, exit) = try program.text()
    let hasRun = text.contains("Test run with 1 test ") && !text.contains("skipped")
    #expect(exit == 0 && hasRun, "\(text)")
  }
}

/// Runs a test where it may be root.
struct AsRootTrait: TestTrait, SuiteTrait, TestScoping {
  fileprivate var isHere: Bool

  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> AsRootTrait? {
    test.isSuite || testCase != nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if isHere { try await function() } else { try AsRoot.run(test) }
  }
}

extension Trait where Self == AsRootTrait {
  static var asRoot: AsRootTrait { AsRootTrait(isHere: AsRoot.isHere) }

  static func asRoot(unless isHere: Bool) -> AsRootTrait {
    AsRootTrait(isHere: isHere || AsRoot.isHere)
  }

  /// Also where systemd has no hierarchy of its own.
  static var asRootWithOldHierarchy: AsRootTrait {
    AsRootTrait(isHere: AsRoot.isInside || AsRoot.isHere && Cgroup.roots[.named] != nil)
  }
}
