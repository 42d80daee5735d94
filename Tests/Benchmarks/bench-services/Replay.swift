import BenchSupport
import Glibc

/// A million fixes of someone who sleeps, drives to work and back.
struct Replay {
  static let fixes = Figures.isQuick ? 50_000 : 1_000_000
  private let recording = "/tmp/bench-services-\(getpid()).nmea"
  private let regions = "/tmp/bench-services-\(getpid()).geojson"
  private let isWritten: Bool

  init() {
    isWritten = Self.write(Self.places(), to: regions) && Self.writeRecording(recording)
  }

  func clear() {
    unlink(recording)
    unlink(regions)
  }

  typealias Cost = (seconds: Double, megabytes: Double)

  /// Through `locationctl replay`; nil where it could not be run.
  func run(_ command: String) -> Cost? {
    cost([
      command, "replay", recording, "--visits", "--significant", "--regions", regions, "--json",
    ])
  }

  /// Into a table, by gpsbabel; nil where it is not installed.
  func convert() -> Cost? {
    cost(["gpsbabel", "-i", "nmea", "-f", recording, "-o", "unicsv", "-F", "/dev/null"])
  }

  private func cost(_ words: [String]) -> Cost? {
    guard isWritten else { return nil }
    let argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var pid: pid_t = 0
    var status: Int32 = 0
    var usage = rusage()
    let clock = ContinuousClock()
    let time = clock.measure {
      guard posix_spawnp(&pid, words[0], &actions, nil, argv, environ) == 0 else { return }
      wait4(pid, &status, 0, &usage)
    }
    guard pid > 0, status == 0 else { return nil }
    return (time / .seconds(1), Double(usage.ru_maxrss) / 1024)
  }

  private static func writeRecording(_ recording: String) -> Bool {
    var noise = SystemRandomNumberGenerator()
    var text = ""
    text.reserveCapacity(1 << 20)
    unlink(recording)
    for second in 0..<fixes {
      // Each day: at home until eight, twenty minutes' drive, eight hours, and back.
      let ofDay = second % 86_400
      let driven: Double =
        switch ofDay {
        case ..<28_800: 0
        case ..<30_000: Double(ofDay - 28_800) / 1200
        case ..<58_800: 1
        case ..<60_000: Double(60_000 - ofDay) / 1200
        default: 0
        }
      let isDriving = driven > 0 && driven < 1
      let north = driven * 0.12 + Double.random(in: -2e-5...2e-5, using: &noise)
      let east = driven * 0.07 + Double.random(in: -2e-5...2e-5, using: &noise)
      let place = "48\(minutes(north)),N,011\(minutes(east)),E"
      let time = "\(two(ofDay / 3600))\(two(ofDay / 60 % 60))\(two(ofDay % 60)).00"
      let day = "\(two(1 + second / 86_400))0626"
      text += sentence("GPRMC,\(time),A,\(place),\(isDriving ? "24.1" : "0.1"),31.0,\(day),,,A")
      text += sentence("GPGGA,\(time),\(place),1,09,0.9,520.0,M,47.0,M,,")
      if text.utf8.count > 1 << 20 {
        guard write(text, to: recording) else { return false }
        text.removeAll(keepingCapacity: true)
      }
    }
    return write(text, to: recording)
  }

  /// Twenty circles along the way.
  private static func places() -> String {
    let features = (0..<20).map { i in
      let share = Double(i) / 19
      return """
        {"type":"Feature","properties":{"identifier":"place\(i)","radius":200},"geometry":\
        {"type":"Point","coordinates":[\(11.1 + share * 0.07),\(48.1 + share * 0.12)]}}
        """
    }
    return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  /// A tenth of a degree and so much more.
  private static func minutes(_ degrees: Double) -> String {
    let parts = Int((0.1 + degrees) * 60 * 10_000)
    let rest = "\(10_000 + parts % 10_000)".dropFirst()
    return "\(two(parts / 10_000)).\(rest)"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "a") else { return false }
    defer { fclose(file) }
    return text.utf8.withContiguousStorageIfAvailable {
      fwrite($0.baseAddress, 1, $0.count, file) == $0.count
    } ?? false
  }
}
