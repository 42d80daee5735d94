import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("The tracker, installed") struct TrackerPackagingTests {
  @Test("the tracker is a package of its own, with a user, a group and a configuration")
  func tracker() throws {
    let stage = try Stage("install-tracker")
    let fleet =
      [
        "README.md", "schema.sql", "ingest.py", "grafana.json", "mosquitto.conf", "acl", "ca",
        "enrol.py",
      ]
      + ["entry", "message", "status"].map { "schemas/\($0).schema.json" }
    var files: Set = [
      "usr/bin/locationd-tracker", "usr/lib/systemd/system/locationd-tracker.service",
      "usr/lib/systemd/system/locationd-tracker.socket",
      "usr/share/polkit-1/rules.d/locationd-tracker.rules",
      "usr/lib/sysusers.d/locationd-tracker.conf", "usr/share/man/man8/locationd-tracker.8",
      "usr/share/man/man5/locationd-tracker.conf.5", "usr/share/man/man7/locationd-van.7",
      "etc/locationd/tracker.conf",
    ]
    for file in fleet { files.insert("usr/share/doc/locationd-tracker/fleet/\(file)") }
    #expect(stage.files == files)
    try stage.checkConfiguration(of: "tracker")
    try stage.checkPackage(
      of: "tracker",
      needs: ["locationd (>=", "libmosquitto1", "libcurl4", "libsqlite3-0", "libsystemd0"])
    let other = try Stage("install-tracker")
    try other.make("uninstall-tracker")
    #expect(other.files.isEmpty)
  }

  @Test("the tracker's service is exposed no more than the daemon's, but for the network: 1.5")
  func trackerSecurity() throws {
    let stage = try Stage("install-tracker")
    let unit = stage.file("usr/lib/systemd/system/locationd-tracker.service").path
    let (text, exit) = try Program([
      "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=15", unit,
    ]).text()
    #expect(exit == 0, "\(text.split(separator: "\n").last ?? "")")
    let (users, made) = try Program([
      "systemd-sysusers", "--root=\(stage.root.path)",
      stage.file("usr/lib/sysusers.d/locationd-tracker.conf").path,
    ]).text()
    #expect(made == 0, "\(users)")
    #expect(try stage.text("etc/passwd").contains("locationd-tracker:"))
    #expect(try stage.text("etc/group").contains("locationd-track:"))
  }

  @Test(
    "polkit lets the tracker start templates that come after it, and nothing else",
    .enabled(if: AsRoot.isPossible, AsRoot.missing))
  func rule() throws {
    let script = Stage.house.appending(path: "Tests/BusPrograms/polkit-rule.sh").path
    let rule = Stage.house.appending(path: "config/tracker/locationd-tracker.rules").path
    let (answers, exit) = try Program(AsRoot.enter([script, rule])).text()
    #expect(exit == 0, "\(answers)")
    #expect(
      answers.split(separator: "\n") == [
        "start lights@12.service: 0", "start other@12.service: 1", "start late@1.service: 1",
        "start lights@x.service: 1", "start ssh.service: 1", "start lights@12.service x: 1",
        "stop lights@12.service: 1", "restart lights@12.service: 1",
        "set-property lights@12.service: 1", "another user", "start lights@12.service: 2",
      ])
  }
}
