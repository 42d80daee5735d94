import Foundation
import Glibc
import LocationCore
import LocationModel
import Platform
import Testing

@testable import locationd

@Suite("Any receiver that appears") struct TtySourceTests {
  /// Ptys in a folder, where receivers would appear.
  private final class Lines {
    let folder = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID())")
    private var ends: [String: Int32] = [:]

    init(_ names: String...) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in names {
        var near: Int32 = -1
        var far: Int32 = -1
        var path = [CChar](repeating: 0, count: 128)
        try #require(openpty(&near, &far, &path, nil, nil) == 0)
        close(far)
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        _ = fcntl(near, F_SETFL, O_NONBLOCK)
        ends[name] = near
        symlink(path, folder.appending(path: name).path)
      }
    }

    deinit {
      for end in ends.values { close(end) }
      try? FileManager.default.removeItem(at: folder)
    }

    private let start = Clock.boottime
    private var last: [String: Int] = [:]

    /// Twenty epochs a second, as often as it is called.
    func say(_ name: String, isFix: Bool) {
      let seconds = Int((Clock.boottime - start) / .milliseconds(50))
      guard seconds > last[name, default: -1] else { return }
      last[name] = seconds
      let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }
      let place = isFix ? "A,4500.000,N,00700.000,E" : "V,,,,"
      let body = "GPRMC,\(clock.joined()).00,\(place),0.0,0.0,211126,,,\(isFix ? "A" : "N")"
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      let text = Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
      if let end = ends[name] { _ = write(end, text, text.count) }
    }
  }

  private func source(_ lines: Lines, trial: Double) throws -> RunningSource {
    try RunningSource {
      try TtySource(
        .init(patterns: [lines.folder.appending(path: "rx*").path], isAny: true, speed: 9600),
        in: $0, SpeedMemory(), nil, trial: .seconds(trial))
    }
  }

  @Test("one that has no fix makes room for others, and one that has stays")
  func blind() throws {
    let lines = try Lines("rx1", "rx2", "rx3")
    let running = try source(lines, trial: 2)
    let isFound = try running.turn {
      lines.say("rx1", isFix: false)
      lines.say("rx2", isFix: false)
      lines.say("rx3", isFix: true)
      return running.fixes.count >= 3
    }
    #expect(isFound, "\(running.told) \(running.details)")
    let path = lines.folder.appending(path: "rx3").path
    let isLeft = try running.turn(within: 5) {
      for name in ["rx1", "rx2", "rx3"] { lines.say(name, isFix: name == "rx3") }
      return running.details.device != path
    }
    #expect(!isLeft)
    #expect(running.told.allSatisfy { $0 == "found" }, "\(running.told)")
  }

  @Test("of several that have no fix each is heard again and again, until one has")
  func turns() throws {
    let lines = try Lines("rx1", "rx2")
    let running = try source(lines, trial: 0.3)
    var heard: [String] = []
    let isHeard = try running.turn {
      for name in ["rx1", "rx2"] { lines.say(name, isFix: heard.count >= 5 && name == "rx2") }
      if let device = running.details.device, device != heard.last { heard.append(device) }
      return !running.fixes.isEmpty
    }
    #expect(isHeard)
    #expect(heard.count >= 5)
  }
}
