import LocationModel
import Testing

@testable import locationd

@Suite("Reports of Bluetooth devices") struct BeaconReportsTests {
  private let frame = BeaconFrame(BeaconIdentity(BeaconUUID(1, 2), major: 1, minor: 2))

  private func strengths(_ reports: inout BeaconReports) -> [Int?] {
    reports.drain(at: .epoch).reports.map(\.rssi)
  }

  @Test("a strength alone is of the frame before, until the device says something else")
  func frames() {
    var reports = BeaconReports()
    reports.take(.init(rssi: -50), at: "/a")
    #expect(reports.isEmpty)
    reports.take(.init(frame: frame, rssi: -60), at: "/a")
    reports.take(.init(rssi: -61), at: "/a")
    reports.take(.init(rssi: -62), at: "/b")
    let heard = strengths(&reports)
    #expect(heard == [-60, -61])
    reports.take(.init(isOther: true), at: "/a")
    reports.take(.init(rssi: -63), at: "/a")
    #expect(reports.isEmpty)
  }

  @Test("a beacon that a monitor hears is repeated until it is lost")
  func monitored() {
    var reports = BeaconReports()
    let isKnown = reports.enter("/a")
    reports.repeatPresent()
    #expect(!isKnown && reports.isEmpty && reports.hasPresent)
    reports.take(.init(frame: frame), at: "/a")
    reports.repeatPresent()
    let twice = strengths(&reports)
    #expect(twice == [nil, nil])
    reports.leave("/a")
    let last = strengths(&reports)
    #expect(last == [nil] && !reports.hasPresent)
    reports.repeatPresent()
    reports.leave("/a")
    #expect(reports.isEmpty)
    let isKnownNow = reports.enter("/a")
    #expect(isKnownNow && reports.hasPresent)
    reports.endMonitor()
    #expect(!reports.hasPresent)
  }

  @Test("a device that has gone, and all of them, are forgotten")
  func forgotten() {
    var reports = BeaconReports()
    reports.take(.init(frame: frame), at: "/a")
    reports.forget("/a")
    reports.take(.init(rssi: -60), at: "/a")
    let heard = strengths(&reports)
    #expect(heard == [nil])
    reports.take(.init(frame: frame), at: "/a")
    reports.removeAll()
    reports.take(.init(rssi: -60), at: "/a")
    #expect(reports.isEmpty)
  }
}
