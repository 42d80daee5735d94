import Console
import Foundation
import Glibc
import LocationModel
import Testing

@Suite("The service of places, installed") struct PlacesPackagingTests {
  private static let service = "usr/lib/systemd/system/locationd-places.service"
  static let files: Set<String> = [
    "usr/bin/locationd-places", service, "usr/lib/systemd/system/locationd-places.socket",
    "usr/lib/systemd/system/locationd-places-http.socket",
    "usr/lib/sysusers.d/locationd-places.conf",
    "usr/share/dbus-1/system.d/org.locationd.Places.conf",
    "usr/share/dbus-1/system-services/org.locationd.Places.service",
    "usr/share/dbus-1/interfaces/org.locationd.Places1.xml",
    "usr/share/man/man8/locationd-places.8", "usr/share/man/man5/locationd-places.conf.5",
    "usr/share/man/man7/locationd-places-data.7",
    "etc/locationd/places.conf",
  ]

  @Test("it is installed with the daemon, is a package of its own, and goes without a trace")
  func places() throws {
    let stage = try Stage("install-places")
    #expect(stage.files == Self.files)
    try stage.checkConfiguration(of: "places")
    try stage.checkPackage(of: "places", needs: ["libcurl4", "libsqlite3-0", "libdbus-1-3"])
    let all = try Stage("install")
    #expect(all.files.isSuperset(of: Self.files) && all.files.contains("usr/bin/locationd"))
    #expect(all.files.contains("usr/bin/locationctl"))
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
    try? FileManager.default.removeItem(at: folder)
    let contents = ["dpkg-deb", "--contents", try Packages.file("locationd-places-data")]
    let files = try Program(contents).text().text
    for name in names { #expect(files.contains("./usr/share/locationd/places/\(name)\n")) }
    #expect(try Packages.field("Architecture", of: "locationd-places-data") == "all")
    #expect(try Packages.field("Depends", of: "locationd-places-data") == "")
  }

  /// Whether addresses of systemd's IPAddressAllow= hold those where gpsd tells where the machine is.
  private static func opensGpsd(_ words: String) -> Bool {
    words.split(separator: " ").contains { word in
      if ["any", "localhost"].contains(word) { return true }
      let parts = word.split(separator: "/")
      for gpsd in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
        let family = gpsd.contains(":") ? AF_INET6 : AF_INET
        let size = family == AF_INET ? 4 : 16
        var (own, theirs) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 16))
        guard inet_pton(family, gpsd, &own) == 1, inet_pton(family, String(parts[0]), &theirs) == 1
        else { continue }
        let bits = parts.count > 1 ? Int(parts[1]) ?? 0 : size * 8
        if (0..<min(bits, size * 8)).allSatisfy({ bit in
          (own[bit / 8] ^ theirs[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }) {
          return true
        }
      }
      // Neither an address nor a word that is known to be harmless.
      return !parts[0].utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        && !parts[0].contains(":") && word != "link-local" && word != "multicast"
    }
  }

  @Test("no drop-in that is shipped or shown lets the service reach gpsd")
  func dropIns() throws {
    for words in [
      "any", "localhost", "192.0.2.7 localhost", "127.0.0.0/8", "0.0.0.0/0", "127.0.0.1", "::1",
      "::/0", "::ffff:127.0.0.0/104", "gateway.example",
    ] {
      #expect(Self.opensGpsd(words), "\(words)")
    }
    for words in ["192.0.2.7 127.0.0.53", "127.0.0.2", "10.0.0.0/8", "2001:db8::7", "fc00::/7"] {
      #expect(!Self.opensGpsd(words), "\(words)")
    }
    var shown = 0
    let house = PrivateBus.house.path
    for path in [
      "config/man/locationd-places.conf.5", "config/man/locationd-places.8",
      "config/man/locationd-places-data.7", "config/places/places.conf",
      "systemd/locationd-places.service",
      "systemd/locationd-places.socket", "README.md",
    ] {
      let text = try String(contentsOfFile: "\(house)/\(path)", encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("IPAddressAllow=") {
        shown += 1
        let words = String(line.dropFirst("IPAddressAllow=".count))
        #expect(!Self.opensGpsd(words), "\(path): \(line)")
      }
    }
    #expect(shown == 2)
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
