import LocationModel

/// Further ways to a place: those that work without a word of anybody's, and those that one line brings.
extension Examination {
  var more: [DoctorFinding] {
    guard let status, status.isEnabled else { return [] }
    return [
      networks(status), scans(status), locator, modem(status), stands(status), city(status),
      timeZone,
    ].compactMap { $0 }
  }

  private static let configuration = "/etc/locationd/locationd.conf"
  private static let rules = "/usr/share/polkit-1/rules.d/locationd.rules"

  private func networks(_ status: Status) -> DoctorFinding? {
    guard machine.hasWiFi, let sources = status.sources else { return nil }
    guard sources.contains(where: { $0.name.hasPrefix("wifi:") }) else {
      return .advice(
        "the Wi-Fi networks around say no place, as Source= names other sources alone",
        "the line Source=wifi: below [Sources] in \(Self.configuration) has them learnt where a"
          + " receiver says the place, and give it back indoors; nothing is sent")
    }
    return .well(
      "the Wi-Fi networks around are learnt where a receiver says the place, and give it back")
  }

  private func scans(_ status: Status) -> DoctorFinding? {
    guard let source = status.sources?.first(where: { $0.name.hasPrefix("wifi:") }),
      machine.hasWiFi
    else { return nil }
    let isRefused = source.details.remark?.contains("makes no scans") == true
    let rules = [Self.rules, "/etc/polkit-1/rules.d/locationd.rules"]
    guard isRefused || !rules.contains(where: { machine.text($0)?.contains("wifi.scan") == true })
    else { return nil }
    return .advice(
      "locationd may not have Wi-Fi scans made, and lives on those that others ask for",
      machine.exists(Self.rules)
        ? "'sudo systemctl restart polkit' reads \(Self.rules) again"
        : "install locationd again, which brings \(Self.rules), or polkitd, which reads it")
  }

  private var locator: DoctorFinding? {
    guard machine.hasWiFi || machine.hasModem, !ServerReach(machine).namesLocator else {
      return nil
    }
    return .advice(
      "no server is asked where the networks around are",
      "the line Locator=ichnaea:URL below [Servers] in \(ServerReach.file) names one that you trust;"
        + " it learns where this machine is")
  }

  private func modem(_ status: Status) -> DoctorFinding? {
    guard machine.hasModem, let sources = status.sources,
      !sources.contains(where: { $0.name.hasPrefix("modem:") })
    else { return nil }
    return .advice(
      "the modem's own receiver is not used",
      "the line Source=modem: below [Sources] in \(Self.configuration) has ModemManager read it")
  }

  private func stands(_ status: Status) -> DoctorFinding? {
    guard machine.isPortable == false, let places = status.places,
      !places.contains(where: { $0.kind == .set })
    else { return nil }
    return .advice(
      "nobody has said where this machine stands",
      "'sudo locationctl here set', with an address or LAT,LON, or a right click on the map of"
        + " 'locationctl map'")
  }

  /// The last of all, where nothing better is known.
  private func city(_ status: Status) -> DoctorFinding? {
    guard let places = status.places, let sources = status.sources,
      !sources.contains(where: { $0.state == .running }),
      let best = places.filter({ !$0.isSetAside })
        .min(by: { $0.horizontalAccuracy < $1.horizontalAccuracy })
    else { return nil }
    let metres = Describe.metres(best.horizontalAccuracy)
    guard best.kind == .zone else {
      return .well("while no source says a place, programs are told one within \(metres)")
    }
    return .advice(
      "only the time zone's city is known, for weather and night lights",
      "what says a place is told by the lines above, and by locationd(8), under SOURCES")
  }

  private var timeZone: DoctorFinding? {
    let unit = "locationd-timezone.service"
    if machine.exists("/etc/systemd/system/multi-user.target.wants/\(unit)") {
      return .well("the time zone follows the place")
    }
    guard machine.isPortable == true else { return nil }
    let isInstalled = ["/usr/lib", "/lib"].contains {
      machine.exists("\($0)/systemd/system/\(unit)")
    }
    return .advice(
      "the time zone stays as it is when this machine travels",
      isInstalled
        ? "'sudo locationctl timezone follow on' has it follow"
        : "'sudo apt install locationd-timezone', then 'sudo locationctl timezone follow on'")
  }
}
