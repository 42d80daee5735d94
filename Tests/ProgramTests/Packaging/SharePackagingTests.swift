import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("The share, installed") struct SharePackagingTests {
  @Test("the share is a package of its own, with a user, sockets and a configuration")
  func share() throws {
    let stage = try Stage("install-share")
    #expect(
      stage.files == [
        "usr/bin/locationd-share", "usr/lib/systemd/system/locationd-share.service",
        "usr/lib/systemd/system/locationd-share.socket",
        "usr/lib/systemd/system/locationd-share-nmea.socket",
        "usr/lib/systemd/system/chrony.service.d/locationd-share.conf",
        "usr/lib/sysusers.d/locationd-share.conf", "usr/share/man/man8/locationd-share.8",
        "etc/locationd/share.conf",
      ])
    try stage.checkConfiguration(of: "share")
    try stage.checkPackage(of: "share", needs: ["locationd (>=", "libsystemd0"])
    let other = try Stage("install-share")
    try other.make("uninstall-share")
    #expect(other.files.isEmpty)
  }

  @Test("the share's service is exposed no more than 1.2")
  func security() throws {
    let stage = try Stage("install-share")
    let unit = stage.file("usr/lib/systemd/system/locationd-share.service").path
    let (text, exit) = try Program([
      "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=12", unit,
    ]).text()
    #expect(exit == 0, "\(text.split(separator: "\n").last ?? "")")
    let (users, made) = try Program([
      "systemd-sysusers", "--root=\(stage.root.path)",
      stage.file("usr/lib/sysusers.d/locationd-share.conf").path,
    ]).text()
    #expect(made == 0, "\(users)")
    #expect(try stage.text("etc/passwd").contains("locationd-share:"))
  }

  @Test("systemd finds nothing to say against the units, which listen on this machine alone")
  func units() throws {
    let stage = try Stage("install-share")
    let folder = stage.file("units")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = [
      "locationd-share.service", "locationd-share.socket", "locationd-share-nmea.socket",
    ]
    let units = try names.map { name in
      let text = try stage.text("usr/lib/systemd/system/\(name)")
      for line in text.split(separator: "\n") where line.hasPrefix("ListenStream=") {
        #expect(line.hasPrefix("ListenStream=127.0.0.1:") || line.hasPrefix("ListenStream=[::1]:"))
      }
      let unit = folder.appending(path: name)
      try text.replacingOccurrences(of: "=/usr/", with: "=\(stage.root.path)/usr/")
        .write(to: unit, atomically: true, encoding: .utf8)
      return unit.path
    }
    #expect(
      try Program(["systemd-analyze", "verify", "--man=no"] + units).text() == ("", 0))
  }
}
