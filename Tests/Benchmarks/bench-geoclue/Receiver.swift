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

  /// Seconds of processor time so far, of all its threads, from the scheduler's own count.
  var cpu: Double {
    var total = 0.0
    guard let folder = opendir("/proc/\(pid)/task") else { return 0 }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let first = read("task/\(name)/schedstat").split(separator: " ").first
      total += first.flatMap { Double($0) } ?? 0
    }
    return total / 1e9
  }

  /// Kilobytes that would be free if it ended, and those of its programs and libraries that are mapped.
  var memory: (own: Int, resident: Int) {
    let lines = read("smaps_rollup").split(separator: "\n")
    func kilobytes(_ key: String) -> Int {
      let line = lines.first { $0.hasPrefix("\(key):") }
      return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return (kilobytes("Private_Dirty"), kilobytes("Rss"))
  }

  private func read(_ name: String) -> String {
    let descriptor = open("/proc/\(pid)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = max(Glibc.read(descriptor, &bytes, bytes.count), 0)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
