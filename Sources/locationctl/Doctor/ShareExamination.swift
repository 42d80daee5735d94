import Console
import LocationModel

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
    return texts.compactMap(\.self).flatMap { $0.split(separator: "\n") }.reduce(into: []) {
      let parts = $1.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].split(whereSeparator: \.isWhitespace) == [key[...]] else {
        return
      }
      let words = parts[1].split(whereSeparator: \.isWhitespace).map(String.init)
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
    guard machine.exists(path) else {
      return .wrong(
        "chronyd does not listen at \(path)",
        "add 'refclock SOCK \(path) refid GNSS offset 0.1 delay 0.2' to /etc/chrony/chrony.conf, then"
          + " 'sudo systemctl restart chrony'")
    }
    guard machine.group(of: path) != "locationd-share", machine.group(of: path) != nil else {
      return .well("chronyd takes samples at \(path)")
    }
    return .wrong(
      "locationd-share may not write to \(path), which chronyd made as root",
      "'sudo systemctl restart chrony' lets it where the path is /run/chrony/locationd.sock; for another"
        + " one, write a drop-in like chrony.service.d/locationd-share.conf")
  }

  private var port: DoctorFinding? {
    let sockets = "/etc/systemd/system/sockets.target.wants"
    let services = "/etc/systemd/system/multi-user.target.wants"
    guard
      machine.exists("\(sockets)/gpsd.socket") || machine.exists("\(services)/gpsd.service")
    else { return nil }
    // Without sockets from the service manager the share listens itself.
    let listens =
      machine.exists("\(services)/locationd-share.service")
      && !machine.exists("\(sockets)/locationd-share-nmea.socket")
      && (try? ConfigurationValue<Bool>.truth.parse("", lines("Gpsd").last ?? "yes")) != false
    guard listens || machine.exists("\(sockets)/locationd-share.socket") else {
      return .advice(
        "gpsd has port 2947, and tells its programs where this machine is without asking",
        "'sudo systemctl disable --now gpsd.socket gpsd', then 'sudo systemctl enable --now"
          + " locationd-share.socket' gives them to locationd, which asks about each")
    }
    return .wrong(
      "gpsd and locationd-share both want port 2947",
      "'sudo systemctl disable --now gpsd.socket gpsd' gives its programs to locationd, which asks about"
        + " each; 'sudo systemctl disable --now locationd-share.socket' leaves them to gpsd, which asks"
        + " nobody")
  }
}
