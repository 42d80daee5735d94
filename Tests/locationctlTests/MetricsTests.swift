import LocationModel
import Testing
import TrackCore

@testable import locationctl

@Suite("Figures for Prometheus") struct MetricsTests {
  /// Each line is a comment or a sample, and each sample follows the comments of its metric.
  private func check(_ text: String) {
    var name = ""
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: #/# HELP ([a-z_]+) .+\./#) {
        name = String(match.1)
      } else if line.hasPrefix("#") {
        #expect(line == "# TYPE \(name) gauge" || line == "# TYPE \(name) counter")
      } else {
        let match = line.wholeMatch(
          of: #/([a-z_]+)(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+/#)
        #expect(match?.1 == name[...], "\(line)")
      }
    }
  }

  @Test("the track's have each uplink's backlog, troubles and dates, and no place")
  func track() throws {
    let text = """
      {"entries":3,"newestDate":"2026-03-01T10:00:00Z","uplinks":[{"name":"fleet","backlog":2,"parked":1,
      "backlogBytes":800,"state":"waiting","trouble":"gone","since":"2026-03-01T10:00:01Z",
      "oldest":"2026-03-01T09:00:00Z"}],"waypoints":[{"name":"home"}]}
      """
    let metrics =
      Metrics(TrackStatus(json: try JSON(parsing: text))).lines.joined(separator: "\n") + "\n"
    check(metrics)
    for line in [
      "locationd_track_entries 3", "locationd_track_newest_timestamp_seconds 1772359200",
      "locationd_uplink_backlog_entries{uplink=\"fleet\"} 2",
      "locationd_uplink_parked_entries{uplink=\"fleet\"} 1",
      "locationd_uplink_trouble{uplink=\"fleet\"} 1",
      "locationd_uplink_oldest_timestamp_seconds{uplink=\"fleet\"} 1772355600",
    ] { #expect(metrics.contains(line + "\n"), "\(line)") }
    #expect(!metrics.contains("home"))
  }

  @Test("the daemon's have sources and counters, and neither an app nor a user")
  func daemon() {
    let client = ClientStatus(
      app: "unit:secret.service", uid: 1000, pid: 7, name: "secret",
      authorization: .authorizedAlways, accuracy: .full)
    var status = Status(version: "1", services: [], client: client)
    status.clients = [client]
    status.counters = Status.Counters()
    var source = SourceStatus(name: "gps \"0\"", state: .failed("secret"), stateAge: 1)
    source.lastFixAge = 1.5
    status.sources = [source]
    let metrics = Metrics(status).lines.joined(separator: "\n") + "\n"
    #expect(
      metrics.contains("locationd_clients 1\n") && metrics.contains("locationd_fixes_total 0\n"))
    #expect(metrics.contains("{source=\"gps \\\"0\\\"\",state=\"failed\"} 1\n"))
    #expect(metrics.contains("_fix_age_seconds{source=\"gps \\\"0\\\"\"} 1.5\n"))
    #expect(!metrics.contains("secret") && !metrics.contains("1000"))
  }

  @Test("two sources of one name are told apart, and a person's pause leaves the master switch on")
  func apart() {
    let client = ClientStatus(
      app: "exe:/x", uid: 0, pid: 7, name: nil, authorization: .authorizedAlways, accuracy: .full)
    var status = Status(version: "1", services: [], client: client)
    status.sources = (0..<2).map { _ in SourceStatus(name: "static", state: .closed, stateAge: 1) }
    status.isEnabled = false
    status.pause = PauseStatus(until: Timestamp(microseconds: 0), seconds: 90)
    let lines = Metrics(status).lines
    check(lines.joined(separator: "\n") + "\n")
    let samples = lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ")[0] }
    #expect(Set(samples).count == samples.count)
    #expect(lines.contains("locationd_enabled 1"))
    #expect(lines.contains("locationd_source_chosen{source=\"static\",number=\"2\"} 0"))
  }
}
