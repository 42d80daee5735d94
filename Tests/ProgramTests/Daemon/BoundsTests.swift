import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A user without any right, or with all, wants the daemon to hold and write as much as it will.
@Suite(
  "A greedy user", .serialized, .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
struct BoundsTests {
  /// Kilobytes, as they are promised.
  private static let most = 32 << 10
  private static let script = PrivateBus.house.appending(path: "Tests/Attackers/greedy.py").path

  private func attack(_ daemon: RunningDaemon, on bus: PrivateBus) throws -> (Program, JSON) {
    let program = try Program([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3",
      Self.script, daemon.socket, bus.address,
    ])
    return (program, try JSON(parsing: program.line(within: patience * 5)))
  }

  /// Kilobytes of the database and its log of changes.
  private func written(_ daemon: RunningDaemon) -> Int {
    let folder = daemon.folder.appending(path: "state").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.reduce(0) {
      var status = stat()
      return stat("\(folder)/\($1)", &status) == 0 ? $0 + Int(status.st_size) / 1024 : $0
    }
  }

  @Test("holds and writes no more than 32 MB, allowed or not, and all of it comes back")
  func greedy() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    let before = try daemon.program.privateMemory
    for isAllowed in [false, true] {
      if isAllowed {
        let grant = try daemon.control("grant", "user:nobody", "always", "--uid", "65534")
        #expect(try grant.text().exit == 0)
      }
      let writtenBefore = written(daemon)
      var (program, refused): (Program?, JSON) = try attack(daemon, on: bus)
      let peak = try daemon.program.privateMemory - before
      let writtenThen = written(daemon)
      print(
        "greedy: allowed \(isAllowed): \(peak) kB held, \(writtenThen) kB written; \(refused.text)")
      #expect(peak + writtenThen < Self.most)
      if !isAllowed { #expect(writtenThen == writtenBefore) }
      for key in [
        "ConnectionsPerUser", "CornersPerUser", "RegionsPerApp", "ManagersPerUser", "BytesPerUser",
      ] {
        #expect(refused[key]?.integer ?? 0 > 0, "\(key)")
      }
      // Others are served meanwhile.
      let root = try daemon.connect()
      #expect(try root.ask("requestLocation")["result"]?["location"] != nil)
      let region: JSON = [
        "identifier": "root's", "latitude": .number(1), "longitude": .number(1),
        "radius": .number(9),
      ]
      #expect(try root.ask("startMonitoring", ["region": region])["result"] != nil)
      program?.signal(SIGKILL)
      _ = try program?.exit()
      program = nil
      if isAllowed {
        #expect(try daemon.control("reset", "user:nobody", "--uid", "65534").text().exit == 0)
      }
      var left = 0
      let cameBack = try eventually(within: patience) {
        left = try daemon.program.privateMemory - before
        return left < 4 << 10 && self.written(daemon) < 300
      }
      print("greedy: allowed \(isAllowed): \(left) kB left, \(written(daemon)) kB written")
      #expect(cameBack, "\(left) kB held, \(written(daemon)) kB written")
    }
  }
}
