import Console
import LocationModel
import Platform

// locationd-share: who is told without being asked about, and what keeps its doors shut.
extension Examination {
  var share: [DoctorFinding] {
    guard machine.exists("/usr/lib/systemd/system/locationd-share.service") else { return [] }
    return everyone + [chrony, port].compactMap { $0 }
  }

  private static let file = "/etc/locationd/share.conf"

  /// The words of a key, over all its lines; an empty line takes back those before it.
  private func lines(_ key: String) -> [String] {
    let texts = [machine.text(Self.file)] + machine.texts(in: Self.file + ".d", ending: ".conf")
    let lines = texts.compactMap(\.self).flatMap { ConfigurationText(Array($0.utf8)).lines }
    return lines.reduce(into: []) {
      guard case .assignment(let name, let value) = $1.item, name.lowercased() == key.lowercased()
      else { return }
      let words = value.split(whereSeparator: \.isWhitespace).map(String.init)
      $0 = words.isEmpty ? [] : $0 + words
    }
  }

  private var everyone: [DoctorFinding] {
    let places =
      lines("NMEA").filter { $0.hasPrefix("udp:") || $0.hasPrefix("pty:") }.map {
        $0.hasPrefix("udp:") ? "everyone who hears \($0)" : "whoever may open \($0.dropFirst(4))"
      } + lines("Allow").map { "every program in \($0)" }
    return places.map {
      .advice(
        "\($0) is told where this machine is, and nobody is asked",
        "take the line away from \(Self.file) if that is not meant")
    }
  }

  private var chrony: DoctorFinding? {
    guard let path = lines("Chrony").last else { return nil }
    if machine.isHidden(path) {
      return .advice(
        "\(path) is in a folder that only others may enter", "'sudo locationctl doctor' looks there"
      )
    }
    guard machine.exists(path) else {
      return .wrong(
        "chronyd does not listen at \(path)",
        "add 'refclock SOCK \(path) refid GNSS offset 0.1 delay 0.2 precision 1e-2' to /etc/chrony/chrony.conf, then"
          + " 'sudo systemctl restart chrony'")
    }
    guard machine.group(of: path) != nil else {
      return .advice(
        "the group of \(path) has no name here: locationd-share may lack the right to write there",
        "CHRONY in locationd-share(8) says how it gets that")
    }
    let names = path.split(separator: "/").dropLast().map { "/" + $0 }
    let closed = names.indices.map { names[...$0].joined() }
      .first { !machine.letsShare(.pass, at: $0) }
    let shut =
      !machine.letsShare(.write, at: path)
      ? "write to \(path), which chronyd made as root"
      : closed.map { "enter \($0), where chronyd listens" }
    if let shut {
      return .wrong(
        "locationd-share may not \(shut)",
        "'sudo systemctl restart chrony' lets it where the path is /run/chrony/locationd.sock; for another"
          + " one, write a drop-in like chrony.service.d/locationd-share.conf")
    }
    guard starts("locationd-share") else {
      return .wrong(
        "chronyd listens at \(path), and locationd-share starts with its first program only",
        "'sudo systemctl enable --now locationd-share.service' starts it with the machine")
    }
    return .well("locationd-share starts with the machine, and may give chronyd samples at \(path)")
  }
}

// MARK: - gpsd's port

extension Examination {
  private static let wants = "/etc/systemd/system"

  private func isEnabled(_ socket: String) -> Bool {
    machine.exists("\(Self.wants)/sockets.target.wants/\(socket).socket")
  }

  private func starts(_ service: String) -> Bool {
    machine.exists("\(Self.wants)/multi-user.target.wants/\(service).service")
  }

  private var port: DoctorFinding? {
    guard isEnabled("gpsd") || starts("gpsd") else { return nil }
    // Without a socket from the service manager the share listens itself, once it is started.
    let listens =
      (starts("locationd-share") || isEnabled("locationd-share-nmea"))
      && (try? ConfigurationValue<Bool>.truth.parse("", lines("Gpsd").last ?? "no")) == true
    let isGiven = isEnabled("locationd-share")
    guard listens || isGiven else {
      return .advice(
        "gpsd has port 2947, and tells its programs where this machine is without asking",
        afterNaming(
          "'sudo systemctl disable --now gpsd.socket gpsd', then"
            + " 'sudo systemctl enable --now locationd-share.socket' gives them to locationd, which asks about each"
        ))
    }
    let stop = "'sudo systemctl disable --now locationd-share.socket'"
    let leave =
      !isGiven
      ? "Gpsd=no in \(Self.file)" : listens ? "\(stop) with Gpsd=no in \(Self.file)" : stop
    return .wrong(
      "gpsd and locationd-share both want port 2947",
      afterNaming(
        "'sudo systemctl disable --now gpsd.socket gpsd' gives its programs to locationd, which asks about each;"
          + " \(leave) leaves them to gpsd, which asks nobody"
      ))
  }

  /// The remedy, after the receiver is named where locationd has it from gpsd.
  private func afterNaming(_ remedy: String) -> String {
    guard let names = status?.sources?.map(\.name) else {
      return
        "if Source= in locationd.conf names gpsd, name the receiver itself there first; then \(remedy)"
    }
    let local = ["gpsd:localhost:", "gpsd:127.", "gpsd:::1:", "gpsd:/"]
    guard names.contains(where: { name in local.contains { name.hasPrefix($0) } }) else {
      return remedy
    }
    return names.contains("nmea:auto")
      ? "locationd hears gpsd, and without it a receiver that says what it is; name another one with"
        + " Source= in locationd.conf first; then \(remedy)"
      : "locationd has its receiver from gpsd; name the receiver itself with Source= in locationd.conf"
        + " first; then \(remedy)"
  }
}
