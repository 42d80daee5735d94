import Foundation
import Platform
import TestSupport
import Testing

/// The documentation's examples, run as they lie there.
@Suite("Examples", .serialized) struct ExampleTests {
  private let bus: PrivateBus
  private let daemon: RunningDaemon
  private var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

  init() throws {
    bus = try PrivateBus()
    daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.wait("its name") { (try? client.makeClient()) != nil }
  }

  private func example(_ name: String) -> String {
    PrivateBus.house.appending(path: "config/examples/\(name)").path
  }

  @Test("in Python, with dbus-python")
  func python() throws {
    let program = try Program(["/usr/bin/python3", example("watch.py")], environment: environment)
    #expect(try program.line(within: patience).hasPrefix("45.000000 7.000000 ± 5.0 m"))
  }

  @Test("the README's own, word for word, once the person has allowed it")
  func readme() throws {
    let text = try String(
      contentsOf: PrivateBus.house.appending(path: "README.md"), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex { $0.hasPrefix("**Over D-Bus**") })
    let code = lines[begin...].drop { !$0.hasPrefix("    ") }
      .prefix { $0.isEmpty || $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    let script = bus.folder.appending(path: "readme.py")
    try code.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)

    let other = try PrivateBus()
    let daemon = try RunningDaemon(
      files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"], bus: other)
    try BusClient(other.address).waitForDaemon()
    let typist = try Typist(daemon, answers: ["o"])
    try typist.wait(for: "come here")
    let program = try Program(
      ["/usr/bin/python3", "-u", script.path],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": other.address])
    #expect(try program.line() == "45.0 7.0")
  }

  @Test("in C, with sd-bus")
  func c() throws {
    let built = bus.folder.appending(path: "watch").path
    let compiler = try Program([
      "sh", "-c",
      "clang '\(example("watch.c"))' -Wall -Werror -o '\(built)' "
        + "$(pkg-config --cflags --libs libsystemd)",
    ])
    #expect(try compiler.text() == ("", 0))
    let program = try Program([built], environment: environment)
    #expect(try program.line(within: patience) == "45.000000 7.000000")
  }

  @Test("in the shell, with busctl")
  func shell() throws {
    let (text, exit) = try Program([example("status.sh")], environment: environment).text()
    #expect(exit == 0, "\(text)")
    #expect(text.hasPrefix("s \""))
    #expect(text.contains("\"authorizedAlways\""))
    #expect(text.contains(".CreateClient"))
  }

  @Test("an agent in Python, which asks on a terminal")
  func agent() throws {
    let other = try PrivateBus()
    let daemon = try RunningDaemon(
      files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"], bus: other)
    try BusClient(other.address).waitForDaemon()
    let command = try Cgroup.inSession(["/usr/bin/python3", example("agent.py")])
    let agent = try Program(
      onTerminal(command, answers: ["nonsense", "w", "w"], prompt: "eny: "),
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": other.address])
    while try !agent.line().contains("come here") {}
    let get = [Program.path("locationctl"), "get", "--socket", daemon.socket]
    let (text, exit) = try Program(onTerminal(get)).text()
    #expect(exit == 0, "\(text)")
    let asked = try agent.line()
    #expect(asked.contains("wants to know where this machine is while it is in use"), "\(asked)")
    // The other examples ask for themselves.
    let watch = try Program(
      ["/usr/bin/python3", example("watch.py")],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": other.address])
    while try !watch.line().hasPrefix("45.000000 7.000000") {}
  }
}
