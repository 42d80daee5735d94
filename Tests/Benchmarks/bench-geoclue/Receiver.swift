import BenchSupport
import Glibc

/// A receiver that others connect to by a Unix socket.
final class Receiver {
  private let listening: Int32
  private var line: Int32 = -1

  init(at path: String) throws {
    unlink(path)
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listening, 1) == 0, chmod(path, 0o666) == 0 else {
      throw Failure(what: path)
    }
  }

  func stop() {
    close(listening)
    if line >= 0 { close(line) }
  }

  /// Where one is, now.
  func say(_ epoch: Int) {
    if line < 0 {
      line = accept(listening, nil, nil)
      _ = fcntl(line, F_SETFD, FD_CLOEXEC)
    }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = now.tv_sec % 86_400
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60, now.tv_nsec / 10_000_000]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }
    let minutes = "\(1_000_000 + epoch)".dropFirst()
    let body =
      "GPGGA,\(time[0])\(time[1])\(time[2]).\(time[3]),4807.038,N,01131.\(minutes),E,"
      + "1,08,1.5,545.4,M,46.9,M,,"
    let sum = body.utf8.reduce(0, ^)
    let hex = String(sum, radix: 16, uppercase: true)
    let text = Array("$\(body)*\(sum < 16 ? "0" : "")\(hex)\r\n".utf8)
    send(line, text, text.count, Int32(MSG_NOSIGNAL))
  }
}

/// A program of the benchmark's.
struct Process {
  let pid: pid_t

  init(_ command: [String]) throws {
    let argv = command.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var pid: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    guard posix_spawnp(&pid, command[0], &actions, nil, argv, environ) == 0 else {
      throw Failure(what: command[0])
    }
    self.pid = pid
  }

  func stop() {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
  }

  var cost: ProcessCost { ProcessCost(of: pid) }
}
