import Console
import LocationModel

extension Command {
  static let wifi = Command(
    name: "wifi", summary: "the Wi-Fi networks that are learnt here",
    help: """
      Usage: locationctl wifi status [--json] [--socket PATH]

      Shows how many Wi-Fi networks this machine has learnt, how old the newest scan
      is, and whether the machine makes scans for locationd. 'locationctl forget'
      forgets the networks.

        --json   the daemon's own answer, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    guard let status = try arguments.reply(to: .wifiStatus, verb: "status")?.wifi else { return }
    try Output.report(WiFiReport(status).lines)
  }
}

/// The learnt networks, as a person reads them.
struct WiFiReport {
  let status: WiFiStatus

  init(_ status: WiFiStatus) {
    self.status = status
  }

  var lines: [String] {
    var lines = [
      status.isLearning
        ? "Networks are learnt where receivers say the place."
        : "No network is learnt: LearnNetworks=no or RememberPlace=no (locationd.conf(5))."
    ]
    if let networks = status.networks { lines.append("\(Count(networks, "network")) learnt") }
    if let age = status.scanAge { lines.append("newest scan \(Describe.age(age)) ago") }
    switch status.mayScan {
    case nil: lines.append("no scan was asked for yet")
    case true?: lines.append("scans are made when locationd asks")
    case false?:
      lines.append(
        "scans are refused to locationd, which lives on those of others: polkit needs its rule")
    }
    return lines
  }
}
