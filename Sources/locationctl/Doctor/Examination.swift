import LocationModel

/// The examination of a machine: what its files and the daemon say becomes findings.
struct Examination {
  var machine = Machine()
  /// Seconds since 1970.
  var clock: Double
  /// Nil where no daemon answers, with the reason.
  var status: Status?
  var silence = ""

  var findings: [DoctorFinding] {
    [daemon] + [enabled, permission].compactMap { $0 } + sources + contradictions + bluetooth
      + [agent, sessions, bus, set, store, place, servers, geoclue].compactMap { $0 }
      + more + share
  }

  private var daemon: DoctorFinding {
    guard let status else {
      return .wrong(
        "locationd does not answer (\(silence))",
        "'sudo systemctl start locationd' starts it, 'journalctl -u locationd' says why it ended")
    }
    return .well("locationd \(status.version) runs")
  }

  private var enabled: DoctorFinding? {
    guard let status, !status.isEnabled else { return nil }
    if let pause = status.pause, pause.isEnabled {
      return .advice(
        "location is paused for your programs until \(Describe.localTime(pause.until))",
        "'locationctl resume' ends that")
    }
    return .wrong("location is switched off for all", "'sudo locationctl enable' switches it on")
  }

  private static let page = "userunit:locationd-settings"

  private var permission: DoctorFinding? {
    // The page of settings, as a unit, wants no place for itself.
    guard let status, status.isEnabled, status.client.app != Self.page else { return nil }
    if status.client.authorization.isAuthorized {
      return .well("\(status.client.app) may know the location")
    }
    if status.client.authorization == .notDetermined {
      return .advice(
        "nobody has decided yet whether \(status.client.app) may know the location",
        status.agent == .none
          ? "'sudo locationctl grant' allows it"
          : "'locationctl get' asks you in a terminal, 'sudo locationctl grant' allows it")
    }
    return .wrong(
      "\(status.client.app) may not know the location", status.obstacle ?? "it may ask for it")
  }

  // MARK: - Receivers

  private var sources: [DoctorFinding] {
    guard let status, status.client.authorization.isAuthorized, status.isEnabled else {
      return []
    }
    guard let obstacle = status.obstacle else {
      return [.well("the sources give fixes, or nobody needs any now")]
    }
    let isForbidden = obstacle.contains("Permission denied")
    let isTaken = obstacle.contains("has it")
    var findings = lines
    if isForbidden {
      for line in Self.devices(in: obstacle) {
        let group = machine.group(of: line) ?? "dialout"
        findings.append(
          .wrong(
            "locationd may not open \(line)",
            "'sudo usermod --append --groups \(group) locationd', then 'sudo systemctl restart locationd'"
          ))
      }
    }
    if isTaken, findings.allSatisfy(\.isWell) {
      findings.append(
        .wrong(
          "another program has the receiver (\(obstacle))",
          "end it, or have locationd ask gpsd with Source=gpsd://localhost"))
    }
    if !isForbidden, !isTaken, findings.allSatisfy(\.isWell) {
      findings.append(.wrong("no fix now (\(obstacle))", Self.remedy(obstacle, machine)))
    }
    return findings
  }

  /// Receivers of which one is wrong.
  private var contradictions: [DoctorFinding] {
    (status?.sources ?? []).compactMap { source in
      source.contradiction.map {
        .wrong(
          "\(source.name) contradicts \($0.name), which is believed, by \(Describe.metres($0.metres))",
          "look at both with 'sudo locationctl sources', and take the wrong one from this machine, or its"
            + " Source= from /etc/locationd/locationd.conf")
      }
    }
  }

  /// Something wants beacons, and none can be heard.
  private var bluetooth: [DoctorFinding] {
    (status?.sources ?? []).filter(\.hearsBeacons).map { source in
      guard case .failed(let reason) = source.state else {
        return .well("Bluetooth listens for beacons")
      }
      return .wrong("no beacon is heard (\(reason))", Self.remedy(bluetooth: reason))
    }
  }

  private static func remedy(bluetooth reason: String) -> String {
    switch BluetoothTrouble(rawValue: reason) {
    case .off: "'bluetoothctl power on' switches it on"
    case .blocked: "'rfkill unblock bluetooth', then 'bluetoothctl power on'"
    case .noAdapter: "plug one in; 'rfkill' lists those there are"
    case .noService: "'sudo apt install bluez', then 'sudo systemctl enable --now bluetooth'"
    case nil: "'journalctl -u bluetooth' says more"
    }
  }

  /// The devices that a text speaks of.
  private static func devices(in text: String) -> [String] {
    let words = text.split { $0 == " " || $0 == ":" || $0 == ";" || $0 == "," || $0 == "'" }
    return Set(words.lazy.filter { $0.hasPrefix("/dev/") }.map(String.init)).sorted()
  }

  private static func remedy(_ obstacle: String, _ machine: Machine) -> String {
    if obstacle.contains("polkit's rules") {
      return
        "install locationd's rule /usr/share/polkit-1/rules.d/locationd.rules again, or let the user"
        + " locationd use org.freedesktop.ModemManager1.Device.Control and .Location in a rule of yours"
    }
    if obstacle.contains("sees") || obstacle.contains("no fix") {
      return
        "wait some minutes with a view of the sky; 'locationctl watch --sky' shows the satellites"
    }
    if machine.lines.isEmpty {
      return
        "plug a receiver in, or name one in /etc/locationd/locationd.conf, under Source=; for a machine"
        + " that does not move, 'sudo locationctl here set' says where it stands"
    }
    return "see 'sudo locationctl sources' and locationd.conf(5), under Source="
  }

  /// Lines that are there, and may be what is looked for.
  private var lines: [DoctorFinding] {
    let obstacle = status?.obstacle ?? ""
    return Self.devices(in: obstacle).compactMap { line in
      let name = line.split(separator: "/").last.map(String.init) ?? line
      if machine.consoles.contains(name) {
        return .wrong(
          "the console is on \(line)",
          "take 'console=\(name)' from the command line of the kernel, and"
            + " 'sudo systemctl disable --now serial-getty@\(name)'")
      }
      guard obstacle.contains("\(line): it does not say that it is a receiver") else { return nil }
      return .wrong(
        "\(line) does not say that it is a receiver",
        "if it is one, add the line Source=nmea://\(line) below [Sources] to"
          + " /etc/locationd/locationd.conf, and 'sudo systemctl reload locationd'")
    }
  }

  // MARK: - Around it

  private var agent: DoctorFinding? {
    guard let status else { return nil }
    // Root is asked nothing.
    if status.client.uid == 0 { return nil }
    switch status.agent {
    case .asks: return .well("an agent tells your programs apart and asks you about them")
    case .identifies:
      return .advice(
        "your agent has no way to ask you, as no desktop with dialogs or notifications is there",
        "get and watch ask in their own terminal, 'locationctl agent' asks there for all programs")
    case .none:
      return .advice(
        "no agent runs for you, so that your programs are not told apart and you are not asked",
        "'systemctl --user enable --now locationd-agent', or 'locationctl agent' in another terminal"
      )
    }
  }

  private var sessions: DoctorFinding? {
    guard let status, !status.client.isInUse, !machine.exists("/run/systemd/seats") else {
      return nil
    }
    return .wrong(
      "logind does not run, so that no app counts as in use",
      "'sudo apt install libpam-systemd', or InUse=connected below [Permissions] in"
        + " /etc/locationd/locationd.conf")
  }

  private var bus: DoctorFinding? {
    guard machine.exists("/run/dbus/system_bus_socket") else { return nil }
    let folders = ["/usr/share/dbus-1/system.d", "/etc/dbus-1/system.d"]
    if folders.contains(where: { machine.exists("\($0)/org.locationd.conf") }) { return nil }
    return .wrong(
      "the system bus has no policy for org.locationd, so that no program reaches it there",
      "install locationd again, then 'sudo systemctl reload dbus'")
  }

  private var set: DoctorFinding? {
    // No clock of today is before this program was written.
    guard clock < 1_763_000_000 else { return nil }
    return .wrong(
      "the clock is not set, so that times of locations are wrong",
      "'sudo timedatectl set-ntp true', or wait for the first fix of a receiver")
  }

  private var store: DoctorFinding? {
    guard let trouble = status?.trouble else { return nil }
    return .wrong(
      "no permission can be kept (\(trouble))",
      "make room for, and let the user locationd write, /var/lib/locationd")
  }

  private var place: DoctorFinding? {
    let file = "/etc/geolocation"
    guard machine.isForAll(file) else { return nil }
    return .advice(
      "every program may read where this machine stands in \(file)",
      "'sudo chown root:locationd \(file)', then 'sudo chmod 640 \(file)'; or take the file away, as"
        + " 'sudo locationctl here set' keeps the place from all that may not know it")
  }

  private var servers: DoctorFinding? {
    ServerReach(machine).trouble.map { .wrong($0.text, $0.remedy) }
  }

  private var geoclue: DoctorFinding? {
    guard
      let service = machine.text(
        "/usr/share/dbus-1/system-services/org.freedesktop.GeoClue2.service"),
      !service.contains("locationd")
    else { return nil }
    return .wrong(
      "GeoClue is here too, and programs written for it ask it and not locationd",
      "'sudo apt install locationd-geoclue' gives them to locationd")
  }
}

extension Authorization {
  var isAuthorized: Bool { self == .authorizedWhenInUse || self == .authorizedAlways }
}
