import Glibc
import LocationClient
package import LocationModel

/// A server of the benchmark's own, reading a pty that the benchmark writes to.
package final class BenchedDaemon {
  package let socket: String
  private let pid: pid_t
  private let line: Int32

  /// locationd, in that folder.
  package convenience init(_ folder: String) throws {
    try self.init("daemon") { device, socket in
      [
        "\(folder)/locationd", "--config", "/dev/null", "--bus", "none", "--state", "none",
        "--socket", socket, "--source", "nmea://\(device)", "--log-level", "warning",
      ]
    }
  }

  /// Its peer: a loop in C that writes one text to each client. Its program lies beside the benchmark.
  package static func bareRelay() throws -> BenchedDaemon {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    let program = (folder.dropLast() + ["bare-relay"]).joined(separator: "/")
    return try BenchedDaemon("relay") { device, socket in [program, device, socket] }
  }

  private init(_ name: String, command: (_ device: String, _ socket: String) -> [String]) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var path = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &path, nil, nil) == 0 else { throw Failure("no pty") }
    close(slave)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    line = master
    socket = "/tmp/bench-\(name)-\(getpid()).sock"
    let device = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let command = command(device, socket)
    let argv = command.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, command[0], nil, nil, argv, environ) == 0 else {
      throw Failure("cannot start \(command[0])")
    }
    self.pid = pid
    let deadline = now() + 5
    // The file is there a moment before somebody listens.
    while (try? Connection(path: socket)) == nil, now() < deadline { usleep(1000) }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  /// The daemon's words about the line that it is to read.
  package var source: SourceStatus? {
    get throws {
      let answer = try Connection(path: socket).ask(Request.status)
      return (try? answer.get())?.status?.sources?.first
    }
  }

  /// Nobody hears what is written to a line before it is open.
  package func waitForReading() throws {
    let deadline = now() + 5
    while let source = try source, source.details.device == nil {
      if case .failed = source.state { throw Failure("its line is not read: \(source.words)") }
      guard now() < deadline else { throw Failure("its line is not opened: \(source.words)") }
      usleep(10_000)
    }
  }

  package func stop() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
    close(line)
    unlink(socket)
  }

  package func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(line, bytes, bytes.count)
  }

  package var cost: ProcessCost { ProcessCost(of: pid) }
}

extension SourceStatus {
  /// Its state, and why it is so.
  package var words: String {
    var parts = [state.word]
    if case .failed(let reason) = state { parts.append(reason) }
    if let remark = details.remark { parts.append(remark) }
    return parts.joined(separator: ": ")
  }
}

/// Seconds.
package func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A receiver's words, a tenth of a second apart.
package enum Receiver {
  package static func epoch(_ number: Int) -> String {
    let tenths = digits(number % 10, 1) + "0"
    let time = "12\(digits(number / 600, 2))\(digits(number / 10 % 60, 2)).\(tenths)"
    let place = "4500.\(digits(number % 10_000, 4)),N,00700.0000,E"
    return sentence("GPRMC,\(time),A,\(place),1.94,0.0,201126,,,A")
      + sentence("GPGGA,\(time),\(place),1,09,0.9,240.0,M,48.0,M,,")
  }

  private static func digits(_ value: Int, _ count: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  private static func sentence(_ body: String) -> String {
    let sum = Int(body.utf8.reduce(0, ^))
    let hex = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(sum < 16 ? "0" : "")\(hex)\r\n"
  }
}
