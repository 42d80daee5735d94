import Foundation
import TestSupport
import Testing

/// `make peers` installs promtool.
@Suite("Prometheus' own check", .enabled(if: isAmongPeers, "make peers installs it"))
struct MetricsPeerTests {
  @Test("promtool finds nothing wrong in either file of figures")
  func promtool() throws {
    let tracker = try MetricsFileTests.tracker()
    for (name, text) in try MetricsFileTests.files(tracker) {
      let path = tracker.daemon.folder.appending(path: name).path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let (words, exit) = try Program(["/bin/sh", "-c", "promtool check metrics <\(path)"]).text()
      #expect(exit == 0 && words.isEmpty, "\(name): \(words)")
    }
  }
}
