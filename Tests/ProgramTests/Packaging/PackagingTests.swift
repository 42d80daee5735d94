import Console
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// The files that `make install` puts into a folder that stands for a machine.
final class Stage {
  let root = FileManager.default.temporaryDirectory.appending(path: "stage-\(UUID())")

  init(_ goal: String = "install-locationd") throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try make(goal)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  static let house = URL(filePath: Checkout.path)

  /// With the programs that are tested: what runs the tests may hold the build's lock.
  func make(_ goal: String, _ variables: String...) throws {
    let (text, exit) = try makeOrNot(goal, variables)
    try #require(exit == 0, "\(text)")
  }

  func makeOrNot(_ goal: String, _ variables: [String] = []) throws -> (text: String, exit: Int32) {
    try Program(
      [
        "make", "--no-print-directory", "-C", Self.house.path, goal, "RELEASE=true",
        "BIN=\(Program.folder.path)", "DESTDIR=\(root.path)", "PREFIX=/usr",
      ] + variables
    ).text()
  }

  func file(_ path: String) -> URL { root.appending(path: path) }

  func text(_ path: String) throws -> String {
    try String(contentsOf: file(path), encoding: .utf8)
  }

  var files: Set<String> {
    let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return Set(
      all.filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file(path).path, isDirectory: &isFolder)
          && !isFolder.boolValue
      })
  }

  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(path).path)[.posixPermissions] as? Int
  }
}

extension Stage {
  /// The program takes its configuration as it is installed, and with each key as it is shown.
  func checkConfiguration(of name: String) throws {
    let configuration = file("etc/locationd/\(name).conf")
    let check = [Program.path("locationd-\(name)"), "--check", "--config", configuration.path]
    #expect(try Program(check).text() == ("", 0))
    let shown = try text("etc/locationd/\(name).conf").split(separator: "\n")
      .filter { !$0.hasPrefix("# ") }.map { $0.hasPrefix("#") ? $0.dropFirst() : $0 }
    try shown.joined(separator: "\n").write(to: configuration, atomically: true, encoding: .utf8)
    #expect(try Program(check).text() == ("", 0))
  }

  /// Its package needs these others.
  func checkPackage(of name: String, needs others: [String]) throws {
    let depends = try Packages.field("Depends", of: "locationd-\(name)")
    for other in others { #expect(depends.contains(other), "\(depends)") }
  }
}

@Suite("Installed") struct PackagingTests {
  private static let config = "etc/locationd/locationd.conf"
  private static let service = "usr/lib/systemd/system/locationd.service"
  private static let socket = "usr/lib/systemd/system/locationd.socket"

  @Test("everything is in its place, and uninstalling takes all of it away")
  func places() throws {
    let stage = try Stage("install-locationd")
    #expect(
      stage.files == [
        "usr/bin/locationd", "usr/share/doc/locationd/README.md",
        "usr/lib/systemd/user-preset/60-locationd.preset",
        "usr/bin/locationd-agent",
        "usr/lib/systemd/user/locationd-agent.service",
        "usr/share/man/man1/locationd-agent.1",
        Self.service,
        Self.socket,
        Self.config,
        "usr/lib/sysusers.d/locationd.conf",
        "usr/lib/tmpfiles.d/locationd.conf",
        "usr/lib/udev/rules.d/60-locationd.rules",
        "usr/share/dbus-1/system.d/org.locationd.conf",
        "usr/share/dbus-1/system-services/org.locationd.service",
        "usr/share/dbus-1/interfaces/org.locationd.Manager1.xml",
        "usr/share/dbus-1/interfaces/org.locationd.Client1.xml",
        "usr/share/polkit-1/actions/org.locationd.policy",
        "usr/share/polkit-1/rules.d/locationd.rules",
        "usr/share/dbus-1/interfaces/org.locationd.Permissions1.xml",
        "usr/share/dbus-1/interfaces/org.locationd.Agents1.xml",
        "usr/share/dbus-1/interfaces/org.locationd.Agent1.xml",
        "usr/share/doc/locationd/examples/agent.py",
        "usr/share/doc/locationd/examples/watch.py",
        "usr/share/doc/locationd/examples/watch.c",
        "usr/share/doc/locationd/examples/status.sh",
        "usr/share/doc/locationd/examples/locationd-metrics.service",
        "usr/share/doc/locationd/examples/locationd-metrics.timer",
        "usr/share/doc/locationd/examples/renumber.sh",
        "usr/share/doc/locationd/NEWS",
        "usr/share/man/man7/locationd-admin.7",
        "usr/share/man/man5/org.locationd.5",
        "usr/share/man/man5/locationd.conf.5",
        "usr/share/man/man7/locationd-socket.7",
        "usr/share/man/man8/locationd.8",
      ])

    for file in stage.files {
      #expect(try stage.mode(file) == (file.hasPrefix("usr/bin/") ? 0o755 : 0o644), "\(file)")
    }
    let (text, exit) = try Program([stage.file("usr/bin/locationd").path, "--version"]).text()
    #expect(exit == 0)
    #expect(text.hasPrefix("locationd "))
    try stage.make("uninstall")
    #expect(stage.files.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: stage.file("etc/locationd").path))
  }

  @Test("under another prefix, the service starts the program that is there")
  func prefix() throws {
    let stage = try Stage()
    try stage.make("uninstall")
    try stage.make("install-locationd", "PREFIX=/opt/x")
    #expect(stage.files.allSatisfy { $0 == Self.config || $0.hasPrefix("opt/x/") })
    let unit = try stage.text("opt/x/lib/systemd/system/locationd.service")
    #expect(unit.contains("\nExecStart=/opt/x/bin/locationd\n"))
    try stage.make("uninstall", "PREFIX=/opt/x")
    #expect(stage.files.isEmpty)
  }

  @Test("a configuration of one's own outlives installing again and uninstalling")
  func ownConfiguration() throws {
    let stage = try Stage()
    let dropIn = stage.file("\(Self.config).d/mine.conf")
    try FileManager.default.createDirectory(
      at: dropIn.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("[Sources]\n".utf8).write(to: dropIn)
    try Data("# mine\n".utf8).write(to: stage.file(Self.config))
    try stage.make("install-locationd")
    #expect(try stage.text(Self.config) == "# mine\n")
    try stage.make("uninstall")
    #expect(stage.files == [Self.config, "\(Self.config).d/mine.conf"])
    #expect(try stage.text(Self.config) == "# mine\n")
  }

  @Test(
    "no program looks for libraries beside itself, where somebody else may have put some",
    .enabled(if: Program.areShipped, "what is built for debugging is not shipped"),
    arguments: [
      "locationd", "locationctl", "locationd-agent", "locationd-tracker", "locationd-places",
      "locationd-map", "locationd-share", "locationd-timezone",
    ])
  func libraries(program: String) throws {
    let (text, exit) = try Program(["objdump", "--private-headers", Program.path(program)]).text()
    #expect(exit == 0 && text.contains("NEEDED"), "\(text)")
    #expect(!text.contains("RPATH") && !text.contains("RUNPATH"))
  }

  @Test("the daemon reads gpsd's reports with libgps")
  func libgps() throws {
    let (text, exit) = try Program(["objdump", "--private-headers", Program.path("locationd")])
      .text()
    #expect(exit == 0 && text.contains(/NEEDED +libgps\.so/), "\(text)")
  }

  @Test("a Debian package is made of it: it says what it needs, and whose the configuration is")
  func package() throws {
    let fields = try Program(["dpkg-deb", "--field", Packages.file("locationd")]).text().text
    let version = try Packages.field("Version", of: "locationctl")
    #expect(fields.contains("Version: \(version)\n"))
    #expect(fields.contains("libsystemd0") && fields.contains("libgps"))
    #expect(fields.contains("locationctl (>= \(version))"))
    let files = try Program(["dpkg-deb", "--contents", Packages.file("locationd")]).text().text
    for line in files.split(separator: "\n") { #expect(line.contains(" root/root "), "\(line)") }
    #expect(files.contains("./usr/bin/locationd\n"))
    // Machines of today have /lib as a link: dpkg would take them for two files.
    #expect(!files.contains(" ./lib/"))
    let kept = try Packages.script("conffiles", of: "locationd")
    #expect(kept == "/\(Self.config)\n")
  }

  @Test("the command line is a package of its own, in place of that in older daemons' packages")
  func command() throws {
    let stage = try Stage("install-locationctl")
    #expect(
      stage.files == [
        "usr/bin/locationctl", "usr/share/man/man1/locationctl.1",
        "usr/share/bash-completion/completions/locationctl",
        "usr/share/zsh/vendor-completions/_locationctl",
        "usr/share/fish/vendor_completions.d/locationctl.fish",
      ])
    for file in stage.files {
      #expect(try stage.mode(file) == (file.hasPrefix("usr/bin/") ? 0o755 : 0o644), "\(file)")
    }
    let version = try Packages.field("Version", of: "locationd")
    for field in ["Breaks", "Replaces"] {
      #expect(try Packages.field(field, of: "locationctl") == "locationd (<< \(version))")
    }
    // Places can be asked where there is no daemon.
    let depends = try Packages.field("Depends", of: "locationctl")
    #expect(!depends.contains("locationd") && depends.contains("libc6"), "\(depends)")
    let other = try Stage("install-locationctl")
    try other.make("uninstall-locationctl")
    #expect(other.files.isEmpty)
  }

  @Test("GeoClue's name is taken over only where that is asked for, and not from GeoClue itself")
  func geoclue() throws {
    let stage = try Stage()
    let before = stage.files
    let name = "usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service"
    try stage.make("install-geoclue")
    #expect(
      stage.files.subtracting(before) == [
        name, "usr/share/dbus-1/system.d/org.locationd.GeoClue2.conf",
        "usr/lib/locationd/locationd.conf.d/geoclue.conf",
        "usr/lib/locationd/policy.d/10-xdg-desktop-portal.conf",
      ])
    #expect(try stage.text(name).contains("SystemdService=locationd.service"))
    let check = ["--check", "--config", stage.file(Self.config).path]
    #expect(try Program([Program.path("locationd")] + check).text() == ("", 0))
    // GNOME's Maps and Weather want it in a version, and would have to go without one.
    let provides = try Packages.field("Provides", of: "locationd-geoclue")
    #expect(provides.hasPrefix("geoclue-2.0 (= 2."))
    try stage.make("uninstall-geoclue")
    #expect(stage.files == before)
    try Data("Exec=/usr/libexec/geoclue".utf8).write(to: stage.file(name))
    #expect(try stage.makeOrNot("install-geoclue").exit != 0)
    #expect(try stage.text(name) == "Exec=/usr/libexec/geoclue")
  }

  @Test("a reload checks the configuration first, and fails where it is wrong")
  func reload() throws {
    let reloads = try Stage().text(Self.service).split(separator: "\n").filter {
      $0.hasPrefix("ExecReload=")
    }
    #expect(reloads.first == "ExecReload=/usr/bin/locationd --check")
    #expect(reloads.count == 2)
  }

  @Test(
    "lintian finds nothing in the packages, however pedantic, that is not explained",
    .enabled(if: Program.areShipped, "what is built for debugging is not shipped"))
  func lintian() throws {
    let lintian = ["lintian", "--allow-root", "--display-info", "--pedantic"]
    let (text, exit) = try Program(lintian + Packages.files(".deb")).text()
    #expect(exit == 0 && text == "", "\(text)")
  }

  @Test("a checkout that was copied with what was built in it builds anew")
  func copied() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID())")
    let build = folder.appending(path: ".build")
    try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: Stage.house.appending(path: "Makefile"), to: folder.appending(path: "Makefile"))
    try "/elsewhere\n".write(
      to: build.appending(path: "place"), atomically: true, encoding: .utf8)
    let old = build.appending(path: "debug")
    try "".write(to: old, atomically: true, encoding: .utf8)
    let make = ["make", "-C", folder.path, "place"]
    #expect(try Program(make).text().text.contains("built anew"))
    #expect(!FileManager.default.fileExists(atPath: old.path))
    try "".write(to: old, atomically: true, encoding: .utf8)
    #expect(try Program(make).text().exit == 0)
    #expect(FileManager.default.fileExists(atPath: old.path))
  }

  @Test(
    "a goal has its packages installed wherever it stands in make's command line",
    arguments: [["release", "places"], ["places", "release"], ["check", "soak"]])
  func packages(goals: [String]) throws {
    let make = ["make", "--dry-run", "-C", Stage.house.path]
    #expect(try Program(make + goals).text().text.contains(" unzip"))
    #expect(try !Program(make + ["release"]).text().text.contains(" unzip"))
  }
}
