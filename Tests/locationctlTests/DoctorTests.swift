import Console
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import locationctl

/// A machine of files that a test makes.
final class MachineFiles {
  let root = FileManager.default.temporaryDirectory.path + "/machine-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: root) }

  @discardableResult
  func add(_ path: String, _ text: String = "") throws -> Self {
    let file = URL(filePath: root + path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return self
  }

  /// As it is where all is well.
  static func well() throws -> MachineFiles {
    try MachineFiles().add("/run/systemd/seats/seat0").add("/run/dbus/system_bus_socket")
      .add("/usr/share/dbus-1/system.d/org.locationd.conf")
  }
}

@Suite("Doctor") struct DoctorTests {
  static let today = 1_795_000_000.0

  func status(_ change: (inout Status) -> Void = { _ in }) -> Status {
    var client = ClientStatus(
      app: "exe:/usr/bin/locationctl", uid: 1000, pid: 1, name: nil,
      authorization: .authorizedWhenInUse, accuracy: .full)
    client.isInUse = true
    var status = Status(version: "1", services: [], client: client)
    status.agent = .asks
    change(&status)
    return status
  }

  func troubles(
    _ files: MachineFiles? = nil, clock: Double = today, _ change: (inout Status) -> Void = { _ in }
  ) throws -> [String] {
    let files = try files ?? .well()
    let examination = Examination(
      machine: Machine(root: files.root), clock: clock, status: status(change))
    return findings(of: examination).filter { !$0.isWell }.map(\.text)
  }

  /// The findings, of which each is said in Korean, too; a daemon's words of why no location comes are not ours.
  func findings(of examination: Examination) -> [DoctorFinding] {
    let say = Speech("ko")
    for finding in examination.findings {
      for sentence in [finding.thing, finding.remedy]
      where sentence != nil && sentence != examination.status?.obstacle {
        let said = say(said: sentence ?? "")
        #expect(said.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) }, "\(said)")
      }
    }
    return examination.findings
  }

  /// The advice, whatever troubles there are.
  func advice(
    _ files: MachineFiles, _ change: (inout Status) -> Void = { _ in }
  ) throws -> [String] {
    let examination = Examination(
      machine: Machine(root: files.root), clock: Self.today, status: status(change))
    return findings(of: examination).filter { $0.kind == .advice }.map(\.text)
  }

  static func wifi(_ remark: String? = nil) -> SourceStatus {
    var source = SourceStatus(name: "wifi:", state: .waiting, stateAge: 1)
    source.details.remark = remark
    return source
  }

  @Test("a thing and its remedy are said in Korean, and in JSON as ever")
  func korean() {
    let finding = DoctorFinding.wrong(
      "location is switched off for all", "'sudo locationctl enable' switches it on")
    let said = finding.lines(100, in: Speech("ko_KR")).joined()
    #expect(said.contains("위치가 모두에게 꺼져 있습니다: 'sudo locationctl enable'로 켭니다"), "\(said)")
    #expect(finding.json["text"]?.string?.hasPrefix("location is switched off") == true)
  }

  @Test(
    "an adapter that is off, blocked or missing is told with a remedy, where beacons are wanted",
    arguments: [
      ("the Bluetooth adapter is off", "'bluetoothctl power on' switches it on"),
      (
        "the Bluetooth adapter is blocked",
        "'rfkill unblock bluetooth', then 'bluetoothctl power on'"
      ),
      ("there is no Bluetooth adapter", "plug one in; 'rfkill' lists those there are"),
      (
        "bluetoothd does not run",
        "'sudo apt install bluez', then 'sudo systemctl enable --now bluetooth'"
      ),
      ("BlueZ: not ready", "'journalctl -u bluetooth' says more"),
    ])
  func bluetooth(reason: String, remedy: String) throws {
    func found(_ state: SourceState) throws -> [String] {
      try troubles { $0.sources = [SourceStatus(name: "beacons", state: state, stateAge: 1)] }
        .filter { $0.contains("beacon") }
    }
    let said = try found(.failed(reason))
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("no beacon is heard (\(reason)): \(remedy)") == true, "\(said)")
    #expect(try found(.running).isEmpty && found(.waiting).isEmpty)
  }

  @Test("a laptop of today: Wi-Fi is learnt, and a server, the modem and the zone are a line each")
  func laptop() throws {
    let files = try MachineFiles.well().add("/sys/class/net/wlan0/phy80211")
      .add("/sys/class/net/wwan0/type").add("/sys/class/dmi/id/chassis_type", "10\n")
      .add("/usr/share/polkit-1/rules.d/locationd.rules", "wifi.scan")
    let found = try advice(files) { $0.sources = [Self.wifi()] }
    #expect(found.count == 3, "\(found)")
    for words in ["Locator=ichnaea:URL", "Source=modem:", "sudo locationctl timezone follow on"] {
      #expect(found.contains { $0.contains(words) }, "\(words)")
    }
    try files.add("/etc/systemd/system/multi-user.target.wants/locationd-timezone.service")
    #expect(try advice(files) { $0.sources = [Self.wifi()] }.count == 2)
    #expect(try troubles(files) { $0.sources = [Self.wifi()] } == [])
    try files.add("/etc/locationd/places.conf", "Locator=ichnaea:http://geo.example/\n")
    #expect(try advice(files) { $0.sources = [Self.wifi()] }.count == 1)
  }

  @Test("a missing rule, or a scan that was refused, is told with what brings the rule")
  func scans() throws {
    let files = try MachineFiles.well().add("/sys/class/net/wlan0/phy80211")
    let missing = try advice(files) { $0.sources = [Self.wifi()] }
    #expect(missing.contains { $0.contains("install locationd again") }, "\(missing)")
    try files.add("/usr/share/polkit-1/rules.d/locationd.rules", "wifi.scan")
    let refused = try advice(files) {
      $0.sources = [Self.wifi("NetworkManager makes no scans for locationd")]
    }
    #expect(refused.contains { $0.contains("sudo systemctl restart polkit") }, "\(refused)")
    #expect(try !advice(files) { $0.sources = [Self.wifi()] }.contains { $0.contains("scans") })
    // Source= names others alone.
    let others = try advice(files) { $0.sources = [] }
    #expect(others.contains { $0.contains("Source=wifi:") }, "\(others)")
  }

  @Test("a machine that stands is told how to set its place, and what a time zone alone is worth")
  func desktop() throws {
    let files = try MachineFiles.well().add("/sys/class/dmi/id/chassis_type", "3\n")
    let zone = PlaceStatus(source: "zone:Asia/Seoul", horizontalAccuracy: 300_000)
    let found = try advice(files) { ($0.places, $0.sources) = ([zone], []) }
    #expect(found.contains { $0.contains("sudo locationctl here set") }, "\(found)")
    #expect(found.contains { $0.contains("only the time zone's city is known") }, "\(found)")
    let set = PlaceStatus(source: "set:", horizontalAccuracy: 50)
    #expect(try advice(files) { ($0.places, $0.sources) = ([zone, set], []) } == [])
  }

  func expect(_ troubles: [String], _ words: String...) {
    #expect(troubles.count == 1, "\(troubles)")
    for word in words { #expect(troubles.first?.contains(word) == true, "\(troubles)") }
  }

  @Test("finds nothing where all is well")
  func well() throws { #expect(try troubles() == []) }

  @Test("a daemon that is not there is told with how to start it")
  func daemon() throws {
    let examination = Examination(
      machine: Machine(root: try MachineFiles.well().root), clock: Self.today, silence: "gone")
    expect(
      examination.findings.filter { !$0.isWell }.map(\.text), "sudo systemctl start locationd")
  }

  @Test("the switch, or a permission that lacks, is told with what changes it")
  func permission() throws {
    expect(try troubles { $0.isEnabled = false }, "sudo locationctl enable")
    let refused = try troubles {
      $0.client.authorization = .denied
      $0.obstacle = "denied; sudo locationctl grant x"
    }
    expect(refused, "sudo locationctl grant x")
  }

  @Test("a server that the unit does not reach is told with the drop-in to type, and its addresses")
  func servers() throws {
    let unit = "/usr/lib/systemd/system/locationd-places.service"
    func files(_ line: String, in file: String = "places.conf") throws -> MachineFiles {
      try MachineFiles.well().add(unit).add("/etc/locationd/\(file)", "[Servers]\n\(line)\n")
        .add("/etc/resolv.conf", "search x\nnameserver 192.0.2.53\n")
    }
    expect(
      try troubles(files("Locator=ichnaea:https://api.example.org/v1/geolocate")),
      "Locator=", "sudo systemctl edit locationd-places", "IPAddressAllow=", "api.example.org",
      "192.0.2.53")
    expect(
      try troubles(files("Router = osrm:http://192.0.2.7:5000", in: "places.conf.d/a.conf")),
      "Router=", "IPAddressAllow= with 192.0.2.7;")
    expect(try troubles(files("Geocoder=photon:http://127.0.0.1:2322")), "127.0.0.2")
    #expect(try troubles(files("#Locator=ichnaea:https://api.example.org/")) == [])
    let open = try files("Locator=ichnaea:https://api.example.org/")
      .add("/etc/systemd/system/locationd-places.service.d/n.conf", "[Service]\nIPAddressAllow=a\n")
    #expect(try troubles(open) == [])
    let unpackaged = try MachineFiles.well()
      .add("/etc/locationd/places.conf", "Locator=ichnaea:https://h/")
    #expect(try troubles(unpackaged) == [])
  }

  @Test("polkit's actions are named where ModemManager does not let it look")
  func modem() throws {
    expect(
      try troubles {
        $0.obstacle =
          "modem:: ModemManager does not let locationd look: polkit's rules for the user locationd are missing"
      }, "rules.d/locationd.rules", "org.freedesktop.ModemManager1.Device.Control")
  }

  @Test("receivers that contradict each other are named, with how far apart they are")
  func contradiction() throws {
    var other = SourceStatus(name: "nmea:/dev/ttyUSB1", state: .running, stateAge: 60)
    other.contradiction = Contradiction(name: "gpsd:/dev/ttyUSB0", metres: 1_077_000)
    let sources = [SourceStatus(name: "gpsd:/dev/ttyUSB0", state: .running, stateAge: 60), other]
    expect(
      try troubles { $0.sources = sources }, "nmea:/dev/ttyUSB1 contradicts gpsd:/dev/ttyUSB0",
      "1077.0 km", "sudo locationctl sources")
    #expect(
      SourceReport(other).lines.contains {
        $0.contains("contradicts gpsd:/dev/ttyUSB0, 1077.0 km away")
      })
    #expect(StatusReport.line(other).hasSuffix(", contradicts gpsd:/dev/ttyUSB0"))
  }

  @Test("the file to name a receiver in is told where there is none")
  func receiver() throws {
    expect(
      try troubles { $0.obstacle = "nmea:auto: no receiver is plugged in" }, "plug a receiver in",
      "Source=")
    expect(
      try troubles { $0.obstacle = "a: the receiver has no fix, and sees 3 satellites" }, "sky")
  }

  @Test("the line to add is told for a device that does not say what it is")
  func unknownLine() throws {
    let files = try MachineFiles.well().add("/dev/ttyUSB0")
    let found = try troubles(files) {
      $0.obstacle =
        "nmea:auto: /dev/ttyUSB0: it does not say that it is a receiver; if it is one, Source=nmea:///dev/ttyUSB0 names it"
    }
    expect(found, "Source=nmea:///dev/ttyUSB0", "[Sources]", "systemctl reload locationd")
  }

  @Test("the group to join is told where the right to a line lacks")
  func right() throws {
    let files = try MachineFiles.well().add("/dev/ttyACM0")
    let found = try troubles(files) {
      $0.obstacle = "nmea:/dev/ttyACM0: /dev/ttyACM0: Permission denied"
    }
    expect(found, "usermod --append --groups", "locationd")
    // Whatever the line is called.
    let other = try troubles {
      $0.obstacle = "nmea:/dev/rfcomm0: cannot open /dev/rfcomm0: Permission denied"
    }
    expect(other, "locationd may not open /dev/rfcomm0")
  }

  @Test("a receiver that gpsd, ModemManager or a console has is told")
  func taken() throws {
    for holder in ["gpsd", "ModemManager"] {
      expect(try troubles { $0.obstacle = "nmea:/dev/ttyUSB0: \(holder) has it" }, holder)
    }
    let files = try MachineFiles.well().add("/dev/ttyAMA0")
      .add("/sys/class/tty/console/active", "tty0 ttyAMA0\n")
    let console = try troubles(files) { $0.obstacle = "nmea:/dev/ttyAMA0: another program has it" }
    expect(console, "console=ttyAMA0", "serial-getty@ttyAMA0")
  }

  @Test(
    "a missing policy of the bus or logind, and GeoClue beside us, are told with what to install")
  func around() throws {
    let policy = try MachineFiles().add("/run/systemd/seats/seat0")
      .add("/run/dbus/system_bus_socket")
    expect(try troubles(policy), "systemctl reload dbus")
    let logind = try MachineFiles().add("/usr/share/dbus-1/system.d/org.locationd.conf")
    expect(try troubles(logind) { $0.client.isInUse = false }, "InUse=connected")
    let service = "/usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service"
    expect(
      try troubles(.well().add(service, "Exec=/usr/libexec/geoclue\n")),
      "apt install locationd-geoclue")
    #expect(try troubles(.well().add(service, "SystemdService=locationd.service\n")) == [])
  }

  func advice(_ change: (inout Status) -> Void) throws -> [String] {
    let examination = Examination(
      machine: Machine(root: try MachineFiles.well().root), clock: Self.today,
      status: status(change))
    #expect(!examination.findings.contains { !$0.isWell })
    return findings(of: examination).filter { $0.kind == .advice }.map(\.text)
  }

  @Test(
    "no agent, or one without a way to ask, is no trouble: an advice names the command that helps")
  func agent() throws {
    expect(try advice { $0.agent = .none }, "systemctl --user enable --now locationd-agent")
    expect(try advice { $0.agent = .identifies }, "locationctl agent")
  }

  @Test("asking is advised while nobody has decided")
  func undecided() throws {
    let found = try advice {
      $0.client.authorization = .notDetermined
      $0.obstacle = "nobody has decided"
    }
    expect(found, "locationctl get", "sudo locationctl grant")
  }

  @Test("the page of settings, as a unit, wants no place: nothing is said of its permission")
  func page() throws {
    for authorization in [Authorization.notDetermined, .denied] {
      let found = try advice {
        $0.client.app = "userunit:locationd-settings"
        $0.client.authorization = authorization
      }
      #expect(found.isEmpty)
    }
  }

  @Test("advice for a laptop or a machine that stands is said in Korean, with its remedy")
  func koreanAdvice() throws {
    let laptop = try MachineFiles.well().add("/sys/class/net/wlan0/phy80211")
      .add("/sys/class/net/wwan0/type").add("/sys/class/dmi/id/chassis_type", "10\n")
      .add("/etc/geolocation", "1\n2\n3\n4\n")
    let desk = try MachineFiles.well().add("/sys/class/dmi/id/chassis_type", "3\n")
    for files in [laptop, desk] {
      let zone = PlaceStatus(source: "zone:Asia/Seoul", horizontalAccuracy: 300_000)
      let examination = Examination(
        machine: Machine(root: files.root), clock: Self.today,
        status: status { ($0.places, $0.sources) = ([zone], []) })
      #expect(findings(of: examination).count > 3)
    }
  }

  @Test("a line's beginning, and JSON, tell apart well, wrong and an advice")
  func kinds() {
    let advice = DoctorFinding.advice("no agent runs", "start it")
    #expect(advice.lines(80) == ["advice  no agent runs: start it"])
    #expect(DoctorFinding.well("a").lines(80) == ["ok      a"])
    #expect(DoctorFinding.wrong("a", "b").lines(80) == ["TROUBLE a: b"])
    let json: JSON = [
      "ok": .bool(true), "text": "no agent runs: start it", "advice": .bool(true),
    ]
    #expect(advice.json == json)
    #expect(DoctorFinding.wrong("a", "b").json == ["ok": .bool(false), "text": "a: b"])
  }

  @Test("a clock that is not set, and a store that cannot be written, are told")
  func clockAndStore() throws {
    expect(try troubles(clock: 86_400), "timedatectl")
    expect(
      try troubles { $0.trouble = "No space left on device" }, "No space left", "/var/lib/locationd"
    )
  }
}
