import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("What follows the place, installed") struct TimezonePackagingTests {
  @Test("it is a package of its own, with a user whom polkit lets set the time zone")
  func timezone() throws {
    let stage = try Stage("install-timezone")
    #expect(
      stage.files == [
        "usr/bin/locationd-timezone", "usr/lib/systemd/system/locationd-timezone.service",
        "usr/lib/sysusers.d/locationd-timezone.conf",
        "usr/share/polkit-1/rules.d/locationd-timezone.rules",
        "usr/share/dbus-1/system.d/org.locationd.Timezone.conf",
        "usr/share/dbus-1/interfaces/org.locationd.Timezone1.xml",
        "usr/share/man/man8/locationd-timezone.8",
      ])
    try stage.checkPackage(
      of: "timezone", needs: ["locationd (>=", "locationd-places (>=", "libdbus-1-3", "polkitd"])
    let other = try Stage("install-timezone")
    try other.make("uninstall-timezone")
    #expect(other.files.isEmpty)
  }

  @Test("its service reaches no network, and is exposed less than the daemon's: 0.5 at most")
  func security() throws {
    let stage = try Stage("install-timezone")
    let unit = stage.file("usr/lib/systemd/system/locationd-timezone.service").path
    let (text, exit) = try Program([
      "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=5", unit,
    ]).text()
    #expect(exit == 0, "\(text.split(separator: "\n").last ?? "")")
    try FileManager.default.createDirectory(
      at: stage.file("etc"), withIntermediateDirectories: true)
    let (users, made) = try Program([
      "systemd-sysusers", "--root=\(stage.root.path)",
      stage.file("usr/lib/sysusers.d/locationd-timezone.conf").path,
    ]).text()
    #expect(made == 0, "\(users)")
    #expect(try stage.text("etc/passwd").contains("locationd-timezone:"))
  }

  @Test("installing it starts nothing, and an upgrade starts it anew where it was on")
  func off() throws {
    let script = try Packages.script("postinst", of: "locationd-timezone")
    #expect(script.contains("deb-systemd-helper debian-installed"))
    #expect(script.contains("try-restart"))
    #expect(!script.contains("invoke start") && !script.contains("invoke restart"))
  }

  @Test(
    "polkit lets its user set the time zone, and neither the clock nor any other user",
    .enabled(if: AsRoot.isPossible, AsRoot.missing))
  func rule() throws {
    let script = Stage.house.appending(path: "Tests/BusPrograms/polkit-actions.sh").path
    let rule = Stage.house.appending(path: "config/timezone/locationd-timezone.rules").path
    let (answers, exit) = try Program(AsRoot.enter([script, rule])).text()
    #expect(exit == 0, "\(answers)")
    #expect(
      answers.split(separator: "\n") == [
        "locationd-timezone set-timezone: 0", "locationd-timezone set-time: 2",
        "locationd-timezone set-ntp: 2", "another set-timezone: 2",
      ])
  }
}
