import BenchSupport
import Glibc
import LocationClient
import LocationModel

/// A daemon of the benchmark's own, reading a pty that the benchmark writes to.
final class Daemon {
  let socket: String
  private let pid: pid_t
  private let line: Int32

  init(_ folder: String) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &name, nil, nil) == 0 else { throw Failure("no pty") }
    close(slave)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    line = master
    socket = "/tmp/bench-daemon-\(getpid()).sock"
    let device = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let command = [
      "\(folder)/locationd", "--config", "/dev/null", "--bus", "none", "--state", "none",
      "--socket", socket,
      "--source", "nmea://\(device)", "--log-level", "warning",
    ]
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

  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// The daemon's words about the line that it is to read.
  var source: SourceStatus? {
    get throws {
      let answer = try Connection(path: socket).ask(.status)
      return (try? answer.get()).flatMap { Status($0) }?.sources?.first
    }
  }

  /// Nobody hears what is written to a line before it is open.
  func waitForReading() throws {
    let deadline = now() + 5
    while let source = try source, source.details.device == nil {
      if case .failed = source.state { throw Failure("its line is not read: \(source.words)") }
      guard now() < deadline else { throw Failure("its line is not opened: \(source.words)") }
      usleep(10_000)
    }
  }

  func stop() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
    close(line)
  }

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(line, bytes, bytes.count)
  }

  var cost: ProcessCost { ProcessCost(of: pid) }
}

extension SourceStatus {
  /// Its state, and why it is so.
  var words: String {
    var parts = [state.word]
    if case .failed(let reason) = state { parts.append(reason) }
    if let remark = details.remark { parts.append(remark) }
    return parts.joined(separator: ": ")
  }
}
