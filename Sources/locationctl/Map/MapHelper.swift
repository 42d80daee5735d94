import Console
import Glibc
import LocationModel

/// `locationd-map`, which serves the page: it is told what to show, and says what the person does there.
final class MapHelper {
  /// A page's wish.
  struct Wish {
    var page: Int64
    var id: Int64
    var json: JSON
  }

  private let pid: pid_t
  private let input: Int32
  private let output: LineReader

  /// Milliseconds until its server listens.
  private static let patience: Int32 = 10_000

  init(port: Int?, data: String?) throws(Failure) {
    let program = try InstalledProgram.path("locationd-map")
    var ends: (input: [Int32], output: [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&ends.input) == 0, pipe(&ends.output) == 0 else {
      throw Failure(.failed, String(cString: strerror(errno)))
    }
    for end in ends.input + ends.output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends.output[0], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends.input[0], 0)
    posix_spawn_file_actions_adddup2(&actions, ends.output[1], 1)
    var words = [program]
    if let port { words += ["--port", "\(port)"] }
    if let data { words += ["--data", data] }
    let arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // Ctrl-C is ours to hear: the helper ends with us.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program, &actions, &attributes, arguments, environ)
    close(ends.input[0])
    close(ends.output[1])
    self.pid = pid
    input = ends.input[1]
    output = LineReader(ends.output[0])
    guard result == 0 else {
      throw Failure(.failed, "\(program) cannot be started: \(String(cString: strerror(result)))")
    }
  }

  deinit {
    close(input)
    var status: Int32 = 0
    if pid > 0 { while waitpid(pid, &status, 0) < 0, errno == EINTR {} }
  }

  /// The descriptor to wait on.
  var descriptor: Int32 { output.descriptor }

  /// The page's, once it is served.
  func address() throws(Failure) -> String {
    var ready = pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&ready, 1, Self.patience)
    guard let line = output.lines().first, let json = try? JSON(parsing: line),
      let address = json["address"]?.string
    else { throw Failure(.failed, "the map cannot be served") }
    return address
  }

  /// The wishes that have come since.
  func wishes() throws(Failure) -> [Wish] {
    let lines = output.lines()
    guard output.isOpen || !lines.isEmpty else {
      throw Failure(.failed, "locationd-map has ended")
    }
    return lines.compactMap { line in
      guard let json = try? JSON(parsing: line), let page = json["page"]?.integer,
        let id = json["id"]?.integer, let wish = json["wish"]
      else { return nil }
      return Wish(page: page, id: id, json: wish)
    }
  }
}

// MARK: - Telling

extension MapHelper {
  func set(_ name: StaticString, _ value: JSON) throws(Failure) {
    try say("set", name) { $0.append(value) }
  }

  func set(_ name: StaticString, _ value: (inout TextBuffer) -> Void) throws(Failure) {
    try say("set", name, value)
  }

  func add(_ name: StaticString, _ value: JSON) throws(Failure) {
    try say("add", name) { $0.append(value) }
  }

  private func say(
    _ verb: StaticString, _ name: StaticString, _ value: (inout TextBuffer) -> Void
  ) throws(Failure) {
    var line = TextBuffer()
    line.append("{\"")
    line.append(verb)
    line.append("\":\"")
    line.append(name)
    line.append("\",\"value\":")
    value(&line)
    line.append("}\n")
    try write(line.bytes)
  }

  /// A result as it came; it is written as it is.
  func answer(_ wish: Wish, unread result: UnsafeRawBufferPointer) throws(Failure) {
    try answer(wish) {
      $0.append("{\"result\":")
      $0.append(result)
      $0.append("}")
    }
  }

  func answer(_ wish: Wish, _ value: JSON) throws(Failure) {
    try answer(wish) { $0.append(value) }
  }

  private func answer(_ wish: Wish, _ value: (inout TextBuffer) -> Void) throws(Failure) {
    var line = TextBuffer()
    line.append("{\"to\":")
    line.append(integer: wish.page)
    line.append(",\"id\":")
    line.append(integer: wish.id)
    line.append(",\"value\":")
    value(&line)
    line.append("}\n")
    try write(line.bytes)
  }

  func say(_ json: JSON) throws(Failure) {
    var line = TextBuffer()
    line.append(json)
    line.append("\n")
    try write(line.bytes)
  }

  /// The helper always reads, whatever its pages do.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        throw Failure(.failed, "locationd-map has ended")
      }
    }
  }

  /// All that stays as it is.
  func tell(_ settings: MapSettings, locale: String?, _ files: [MapFile]) throws(Failure) {
    try say(["pictures": .array(settings.servers.map(JSON.string))])
    try set(
      "about",
      [
        "version": .string(version), "locale": locale.map(JSON.string),
        "tiles": settings.tiles.map(JSON.string),
        "attribution": settings.attribution.map(JSON.string),
      ])
    for file in files {
      try add("files", ["name": .string(file.name), "text": .string(file.text)])
    }
  }
}

/// The person's browser.
enum Browser {
  /// False where there is no screen to show one on.
  static func open(_ address: String) -> Bool {
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in 0...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    let arguments = [strdup("xdg-open"), strdup(address), nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, "xdg-open", &actions, nil, arguments, environ) == 0 else {
      return false
    }
    // It ends once the browser has the address, or stays as the browser itself.
    var status: Int32 = 0
    for _ in 0..<30 {
      if waitpid(pid, &status, WNOHANG) == pid { return status == 0 }
      usleep(100_000)
    }
    return true
  }
}
