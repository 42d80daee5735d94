import Console
import Glibc
import LocationModel
import Platform

/// `locationd-map`, which serves the page: it is told what to show, and says what the person does there.
final class MapHelper {
  /// A request of a page.
  struct Request {
    var page: Int64
    var id: Int64
    var json: JSON
  }

  private let child: Subprocess
  private let output: LineReader
  /// The zone that pages know.
  private var zone: String?
  /// So many pages are open.
  private(set) var pages = 0

  /// Milliseconds until its server listens.
  private static let patience: Int32 = 10_000

  init(port: Int?, data: String?) throws(Failure) {
    var words: [String] = []
    if let port { words += ["--port", "\(port)"] }
    if let data { words += ["--data", data] }
    // Ctrl-C is ours to hear: the helper ends with us.
    child = try InstalledProgram("locationd-map").start(
      words, input: .pipe, output: .pipe, isInOwnGroup: true)
    output = LineReader(&child.output)
  }

  deinit {
    child.input = nil
    child.wait()
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

  /// The requests that have come since.
  func requests() throws(Failure) -> [Request] {
    let lines = output.lines()
    guard output.isOpen || !lines.isEmpty else {
      throw Failure(.failed, "locationd-map has ended")
    }
    return lines.compactMap { line in
      guard let json = try? JSON(parsing: line) else { return nil }
      if let count = json["pages"]?.integer { pages = Int(clamping: count) }
      guard let page = json["page"]?.integer, let id = json["id"]?.integer,
        let request = json["wish"]
      else { return nil }
      return Request(page: page, id: id, json: request)
    }
  }
}

// MARK: - Telling

extension MapHelper {
  func set(_ name: StaticString, _ value: JSON) throws(Failure) {
    try send("set", name) { $0.append(value) }
  }

  func set(_ name: StaticString, _ value: (inout TextBuffer) -> Void) throws(Failure) {
    try send("set", name, value)
  }

  func add(_ name: StaticString, _ value: JSON) throws(Failure) {
    try send("add", name) { $0.append(value) }
  }

  private func send(
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
  func answer(_ request: Request, unread result: UnsafeRawBufferPointer) throws(Failure) {
    try answer(request) {
      $0.append("{\"result\":")
      $0.append(result)
      $0.append("}")
    }
  }

  func answer(_ request: Request, _ value: JSON) throws(Failure) {
    try answer(request) { $0.append(value) }
  }

  /// A value that is written as text.
  func answer(_ request: Request, _ value: (inout TextBuffer) -> Void) throws(Failure) {
    var line = TextBuffer()
    line.append("{\"to\":")
    line.append(integer: request.page)
    line.append(",\"id\":")
    line.append(integer: request.id)
    line.append(",\"value\":")
    value(&line)
    line.append("}\n")
    try write(line.bytes)
  }

  func send(_ json: JSON) throws(Failure) {
    var line = TextBuffer()
    line.append(json)
    line.append("\n")
    try write(line.bytes)
  }

  /// The helper always reads, whatever its pages do.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch child.input?.write(UnsafeRawBufferPointer(rebasing: rest)) {
      case .bytes(let count): rest = rest.dropFirst(count)
      case .wouldBlock: break
      case .ended, .failed, nil: throw Failure(.failed, "locationd-map has ended")
      }
    }
  }

  /// The machine's zone, which may change while pages are open.
  func tellZone() throws(Failure) {
    let named = TimezoneUnit.named
    guard named != zone else { return }
    zone = named
    try set("zone", named.map(JSON.string) ?? .null)
  }

  /// All that stays as it is.
  func send(_ settings: MapSettings, locale: String?, _ files: [MapFile]) throws(Failure) {
    try send(["pictures": .array(settings.servers.map(JSON.string))])
    try tellZone()
    try set(
      "about",
      [
        "version": .string(version), "locale": locale.map(JSON.string),
        "tiles": settings.tiles.map(JSON.string),
        "attribution": settings.attribution.map(JSON.string),
        "notation": settings.notation.map(JSON.string),
      ])
    for file in files {
      try add("files", ["name": .string(file.name), "text": .string(file.text)])
    }
  }
}

/// The person's browser.
enum Browser {
  /// Opens the address, or says it where there is no screen. The journal hears no address: it has the page's token.
  static func open(_ address: String, as page: String, isWanted: Bool) throws(Failure) {
    if isWanted, open(address) {
      let line = "\(page) is open in your browser"
      return try Output.write(
        isOfManager ? line : "\(line); Ctrl-C ends it. Its address: \(address)")
    }
    guard !isOfManager else { throw Failure(.failed, "no browser opens") }
    try Output.write(address)
    if let line = SSHForward.line(to: address) { try Output.write(line) }
  }

  /// The service manager has started this program, as a unit.
  private static var isOfManager: Bool {
    getenv("SYSTEMD_EXEC_PID").map { String(cString: $0) } == String(getpid())
  }

  /// A browser outlives the unit that opens it, and what it starts does not speak for the person as the unit does.
  private static let apart = [
    "systemd-run", "--user", "--scope", "--quiet", "--collect",
    "--description=The browser of locationctl settings", "--",
  ]

  /// False where there is no screen to show one on.
  private static func open(_ address: String) -> Bool {
    guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
    let command = (isOfManager ? apart : []) + ["xdg-open", address]
    guard
      let program = try? Subprocess(command[0], Array(command.dropFirst()), errors: .nowhere)
    else { return false }
    // It ends once the browser has the address, or stays as the browser itself.
    for _ in 0..<30 {
      if let status = program.status { return status == 0 }
      usleep(100_000)
    }
    return true
  }
}
