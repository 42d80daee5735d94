import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("The doctor of a machine in trouble") struct DoctorProgramTests {
  private func expect(_ words: String..., of program: Program) throws {
    let (text, exit) = try program.text()
    #expect(exit == 1, "\(text)")
    let flat = text.split { $0.isWhitespace }.joined(separator: " ")
    for word in words { #expect(flat.contains(word), "\(text)") }
  }

  @Test("says that no daemon answers, and how to start it")
  func noDaemon() throws {
    let command = [Program.path("locationctl"), "doctor", "--socket", "/nowhere"]
    try expect("does not answer", "sudo systemctl start locationd", of: Program(command))
  }

  @Test("says that the receiver is not there; so does status, while nobody needs one")
  func noReceiver() throws {
    let daemon = try RunningDaemon(["nmea:///dev/nowhere"])
    let status = try daemon.control("status").text().text
    #expect(status.contains("No location now: nmea:/dev/nowhere: /dev/nowhere is not there"))
    try expect("/dev/nowhere is not there", "Source=", of: daemon.control("doctor"))
  }

  @Test("says that a receiver sends nothing, or has no fix")
  func silent() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    try expect("TROUBLE no fix now", of: daemon.control("doctor"))
    withExtendedLifetime(speaker) {}
  }

  @Test("says that the switch is off, and that nothing can be kept")
  func switchAndStore() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.control("disable").text().exit == 0)
    try expect("sudo locationctl enable", of: daemon.control("doctor"))
    let other = try RunningDaemon(state: "/proc/nowhere")
    try expect("no permission can be kept", "/var/lib/locationd", of: other.control("doctor"))
  }

  @Test(
    "says what may not know and what allows it, and calls no agent that is missing a trouble",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func permission() throws {
    let daemon = try RunningDaemon()
    let (text, exit) = try daemon.asSomeoneElse("doctor").text()
    let flat = text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(!flat.contains("TROUBLE nobody") && !flat.contains("TROUBLE no agent"), "\(text)")
    for words in [
      "advice nobody has decided yet", "sudo locationctl grant", "advice no agent runs for you",
      "systemctl --user enable --now locationd-agent",
    ] {
      #expect(flat.contains(words), "\(text)")
    }
    #expect(exit == (text.contains("TROUBLE") ? 1 : 0), "\(text)")
  }
}
