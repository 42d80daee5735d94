import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The agent, where the time zone follows the place", .serialized) struct ZoneNoticeTests {
  private static let timezone = "org.locationd.Timezone"
  private static let path = "/org/locationd/Timezone"
  private static let interface = "org.locationd.Timezone1"
  private static let notifications = "org.freedesktop.Notifications"
  private static let setter = "org.gnome.SettingsDaemon.Datetime"

  private func play(
    _ name: String, _ path: String, _ interface: String, _ method: String, _ input: String,
    _ output: String = "", _ code: String = "", on bus: PrivateBus
  ) throws -> MockService {
    let service = try MockService([name, path, interface], as: name, on: bus)
    try service.mock(
      path, "AddMethod",
      [.string(interface), .string(method), .string(input), .string(output), .string(code)])
    return service
  }

  private func playTimezone(on bus: PrivateBus) throws -> MockService {
    let service = try play(
      Self.timezone, Self.path, Self.interface, "SetDesktopFollows", "b", on: bus)
    try service.mock(
      Self.path, "AddProperties",
      [.string(Self.interface), .dictionary(["Timezone": .string("")])])
    return service
  }

  private func calls(_ service: MockService, _ path: String, _ method: String) throws -> [String] {
    let calls = try service.mock(path, "GetMethodCalls", [.string(method)]).first
    return calls?.asArray?.map { "\($0)" } ?? []
  }

  @Test("the person is told of each zone that is set, and of none that was set before")
  func notice() throws {
    let bus = try PrivateBus(guests: [Self.timezone, Self.notifications])
    let path = "/org/freedesktop/Notifications"
    let desktop = try play(
      Self.notifications, path, Self.notifications, "Notify", "susssasa{sv}i", "u", "ret = 1",
      on: bus)
    let daemon = try RunningDaemon()
    // A service that is played has its name before its properties.
    let timezone = try playTimezone(on: bus)
    let agent = try startAgent(daemon, on: bus)
    // The agent says so once it has seen the service.
    #expect(
      try eventually(within: patience) {
        try !calls(timezone, Self.path, "SetDesktopFollows").isEmpty
      })
    try timezone.mock(
      Self.path, "UpdateProperties",
      [.string(Self.interface), .dictionary(["Timezone": .string("Europe/Vienna")])])
    var said: [String] = []
    #expect(
      try eventually(within: patience) {
        said = try calls(desktop, path, "Notify")
        return !said.isEmpty
      })
    #expect(said.count == 1 && said[0].contains("Europe/Vienna"), "\(said)")
    withExtendedLifetime(agent) {}
  }

  @Test(
    "a desktop that sets the zone itself is said to, where its setting says so",
    arguments: [true, false])
  func desktop(follows: Bool) throws {
    let bus = try PrivateBus(guests: [Self.timezone, Self.setter])
    let daemon = try RunningDaemon()
    try daemon.write("#!/bin/sh\necho \(follows)\n", to: "setting")
    try Program.copy(
      daemon.folder.appending(path: "setting").path,
      to: daemon.folder.appending(path: "gsettings").path)
    let setter = try MockService([Self.setter, "/", Self.setter], as: Self.setter, on: bus)
    let timezone = try playTimezone(on: bus)
    let agent = try startAgent(
      daemon, on: bus, environment: ["PATH": "\(daemon.folder.path):/usr/bin:/bin"])
    #expect(
      try eventually(within: patience) {
        try calls(timezone, Self.path, "SetDesktopFollows").last?.contains("\(follows)") == true
      })
    withExtendedLifetime((agent, setter)) {}
  }
}
