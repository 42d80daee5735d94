import Foundation
import Testing

/// The scripts of the packages, in a machine of their own that has files of all.
@Suite("Scripts of packages") struct MaintainerScriptTests {
  private static let own: [String: [String]] = [
    "locationd": ["/var/lib/locationd/ledger.sqlite", "/run/locationd/locationd.sock"],
    "locationd-tracker": [
      "/var/lib/locationd-tracker/track.sqlite", "/run/locationd/tracker.sock",
    ],
    "locationd-places": [
      "/var/lib/locationd-places/monaco.sqlite", "/var/cache/locationd-places/answers.sqlite",
      "/run/locationd/places.sock",
    ],
    "locationd-timezone": [], "locationd-share": [], "locationd-geoclue": [],
  ]
  private static let others = [
    "/etc/locationd/locationd.conf.d/own.conf", "/etc/locationd/places.conf",
    "/etc/locationd/policy.d/20-own.conf", "/etc/locationd/tracker.password",
  ]

  /// Runs the script in a machine with the files, and says which are left.
  private func purge(_ names: [String], _ files: [String]) throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "scripts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let scripts = try names.flatMap { name in
      let path = folder.appending(path: "\(name).postrm")
      try Packages.script("postrm", of: name).write(to: path, atomically: true, encoding: .utf8)
      return ["sh \(path.path) remove", "sh \(path.path) purge"]
    }
    let make = files.map { "mkdir -p $(dirname \($0)); touch \($0)" }
    let find = "find /etc/locationd /run/locationd /var 2>/dev/null || true"
    var sandbox = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all"]
    for folder in ["/etc", "/run", "/var"] { sandbox += ["--tmpfs", folder] }
    let (text, exit) = try Program(
      sandbox + ["sh", "-ec", (make + scripts + [find]).joined(separator: "\n")]
    ).text()
    try #require(exit == 0, "\(text)")
    return Set(text.split(separator: "\n").map(String.init))
  }

  @Test("a purge takes the package's own files, and no other's", arguments: own.keys.sorted())
  func purge(name: String) throws {
    let files = Self.own.values.flatMap(\.self) + Self.others
    let left = try purge([name], files)
    let gone = Set(files).subtracting(left)
    #expect(gone == Set(Self.own[name] ?? []), "\(gone)")
  }

  @Test(
    "the last of them leaves no folder",
    arguments: [
      ["locationd", "locationd-tracker", "locationd-places"],
      ["locationd-places", "locationd-tracker", "locationd"],
    ])
  func last(names: [String]) throws {
    let left = try purge(names, names.flatMap { Self.own[$0] ?? [] })
    #expect(
      !left.contains { $0.contains("locationd") && !$0.hasPrefix("/var/lib/systemd") }, "\(left)")
  }

  @Test("scripts remove whole folders only where a service of the package alone writes")
  func recursive() throws {
    let (debian, units) = (
      Stage.house.appending(path: "debian"), Stage.house.appending(path: "systemd")
    )
    var seen = 0
    for name in Self.own.keys {
      let unit = units.appending(path: "\(name).service")
      let service = (try? String(contentsOf: unit, encoding: .utf8)) ?? ""
      let folders = service.matches(of: #/(?m)^(State|Cache)Directory=(\S+)$/#).map {
        "/var/\($0.1 == "State" ? "lib" : "cache")/\($0.2)"
      }
      for script in ["preinst", "postinst", "prerm", "postrm"] {
        let path = debian.appending(path: "\(name).\(script)")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { continue }
        for line in text.matches(of: #/(?m)rm -\w*[rR]\w* (.*)$/#) {
          seen += 1
          let removed = line.1.split(separator: " ").map(String.init)
          #expect(Set(removed).isSubset(of: folders), "\(name).\(script): \(line.0)")
        }
      }
    }
    #expect(seen > 0)
  }
}
