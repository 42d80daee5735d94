import Console
import Foundation
import LocationModel
import Testing

@Suite("The service of places, installed") struct PlacesPackagingTests {
  private static let service = "usr/lib/systemd/system/locationd-places.service"
  static let files: Set<String> = [
    "usr/bin/locationd-places", service, "usr/lib/systemd/system/locationd-places.socket",
    "usr/lib/sysusers.d/locationd-places.conf",
    "usr/share/dbus-1/system.d/org.locationd.Places.conf",
    "usr/share/dbus-1/system-services/org.locationd.Places.service",
    "usr/share/dbus-1/interfaces/org.locationd.Places1.xml",
    "usr/share/man/man8/locationd-places.8", "usr/share/man/man5/locationd-places.conf.5",
    "etc/locationd/places.conf",
  ]

  @Test("it is installed with the daemon, is a package of its own, and goes without a trace")
  func places() throws {
    let stage = try Stage("install-places")
    #expect(stage.files == Self.files)
    let configuration = stage.file("etc/locationd/places.conf")
    let check = ["--check", "--config", configuration.path]
    #expect(try Program([Program.path("locationd-places")] + check).text() == ("", 0))
    // With each key as it is shown, too.
    let shown = try stage.text("etc/locationd/places.conf").split(separator: "\n")
      .filter { !$0.hasPrefix("# ") }.map { $0.hasPrefix("#") ? $0.dropFirst() : $0 }
    try shown.joined(separator: "\n").write(to: configuration, atomically: true, encoding: .utf8)
    #expect(try Program([Program.path("locationd-places")] + check).text() == ("", 0))
    let package = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).deb").path
    defer { try? FileManager.default.removeItem(atPath: package) }
    let builder = Stage.house.path + "/config/places/build"
    #expect(try Program([builder, stage.root.path, package]).text().exit == 0)
    #expect(try installedSize(package) > 0)
    let depends = try Program(["dpkg-deb", "--field", package, "Depends"]).text().text
    for name in ["libcurl4", "libsqlite3-0", "libdbus-1-3"] {
      #expect(depends.contains(name), "\(depends)")
    }
    let all = try Stage("install")
    #expect(all.files.isSuperset(of: Self.files) && all.files.contains("usr/bin/locationd"))
    try all.make("uninstall")
    #expect(all.files.isEmpty, "\(all.files)")
  }

  @Test("the world's places are a package for every machine")
  func data() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = ["world.sqlite", "postcodes.sqlite"]
    for name in names { try Data("data".utf8).write(to: folder.appending(path: name)) }
    let stage = try Stage("uninstall-places-data")
    try stage.make("install-places-data", "PLACES_DATA=\(folder.path)")
    #expect(stage.files == Set(names.map { "usr/share/locationd/places/" + $0 }))
    let package = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).deb").path
    defer {
      try? FileManager.default.removeItem(atPath: package)
      try? FileManager.default.removeItem(at: folder)
    }
    let builder = Stage.house.path + "/config/places/build-data"
    #expect(try Program([builder, stage.root.path, version, package]).text().exit == 0)
    #expect(try installedSize(package) > 0)
    let kind = try Program(["dpkg-deb", "--field", package, "Architecture"]).text().text
    #expect(kind == "all\n")
  }

  @Test("its unit hides the daemon, the bus refuses it the daemon's names: exposure 1.5 at most")
  func walls() throws {
    let stage = try Stage("install-places")
    let unit = try stage.text(Self.service)
    let hidden = unit.split(separator: "\n").filter { $0.hasPrefix("InaccessiblePaths=") }
      .flatMap { $0.dropFirst("InaccessiblePaths=".count).split(separator: " ") }
    for path in ["-/run/locationd", "-/var/lib/locationd", "-/var/lib/locationd-tracker"] {
      #expect(hidden.contains { $0 == path })
    }
    #expect(unit.contains("\nIPAddressDeny=any\n") && unit.contains("\nUser=locationd-places\n"))
    #expect(unit.contains("\nPrivateDevices=yes\n"))
    let policy = try stage.text("usr/share/dbus-1/system.d/org.locationd.Places.conf")
    let own = policy.split(separator: "<policy user=\"locationd-places\">")[1]
      .split(separator: "</policy>")[0]
    #expect(own.contains("<deny send_destination=\"org.locationd\"/>"))
    let (text, exit) = try Program([
      "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=15",
      stage.file(Self.service).path,
    ]).text()
    #expect(exit == 0, "\(text.split(separator: "\n").last ?? "")")
    let (users, made) = try Program([
      "systemd-sysusers", "--root=\(stage.root.path)",
      stage.file("usr/lib/sysusers.d/locationd-places.conf").path,
    ]).text()
    #expect(made == 0, "\(users)")
  }
}
