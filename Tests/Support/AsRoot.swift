import Foundation
import Glibc
package import Testing

/// Where a test may become other users and put processes into control groups, whoever runs it. Root does
/// so itself. A plain user's test runs again, the whole of it, as root of namespaces of its own: there
/// are other users, those of `/etc/subuid`, and a process's control group is what is mounted over
/// `/proc/PID/cgroup`, which everything in the namespaces sees.
package enum AsRoot {
  package static let isInside = ProcessInfo.processInfo.environment[variable] != nil
  private static let variable = "LOCATIOND_TESTS_AS_ROOT"

  package static let isRoot = isInside || getuid() == 0

  package static let isPossible: Bool = {
    let become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "true"]
    return isRoot || (try? Child(enter(become)).exit()) == 0
  }()

  package static let missing: Comment =
    "a plain user is allowed no namespaces here, or is listed in no /etc/subuid"

  /// The first process is a shell, which heeds those whose parents have gone.
  package static func enter(_ command: [String]) -> [String] {
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
      "sh", "-c", "exec \"$@\" 2>&1", "sh", "env", "\(variable)=1", CommandLine.arguments[0],
      "--testing-library", "swift-testing",
      "--filter", pattern,
    ]
    let child = try Child(enter(command), output: .pipe)
    let text = child.text()
    let exit = child.exit()
    let hasRun = text.contains("Test run with 1 test ") && !text.contains("skipped")
    #expect(exit == 0 && hasRun, "\(text)")
  }
}

/// Runs a test here, or else as root of namespaces.
package struct AsRootTrait: TestTrait, SuiteTrait, TestScoping {
  private let isHere: Bool

  package init(isHere: Bool) { self.isHere = isHere }

  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> AsRootTrait? {
    test.isSuite || testCase != nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if isHere { try await function() } else { try AsRoot.run(test) }
  }
}

extension Trait where Self == AsRootTrait {
  package static var asRoot: AsRootTrait { AsRootTrait(isHere: AsRoot.isRoot) }
}
