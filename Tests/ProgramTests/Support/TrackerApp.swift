import Foundation
import Glibc
import LocationModel
import Testing

/// An app that registers a region, says what to start, and goes. Started, it takes one event.
struct TrackerApp {
  static let name = "org.example.Tracker"
  private let folder: URL
  private let daemon: RunningDaemon
  private let bus: String

  /// `crashes`: it goes when it has the event, without a word.
  init(_ daemon: RunningDaemon, on bus: String, crashes: Bool = false) throws {
    self.daemon = daemon
    self.bus = bus
    folder = daemon.folder
    crash = crashes
    try Self.text.write(to: script, atomically: true, encoding: .utf8)
    try Data().write(to: log)
  }

  private let crash: Bool
  private var script: URL { folder.appending(path: "tracker.py") }
  private var log: URL { folder.appending(path: "tracker.log") }

  func command(_ verb: String, _ activation: String = "") -> [String] {
    ["/usr/bin/python3", script.path, verb, log.path, daemon.socket, bus, activation]
  }

  /// The file by which a bus starts it.
  var service: String {
    """
    [D-BUS Service]
    Name=\(Self.name)
    Exec=\(command(crash ? "crash" : "run").joined(separator: " "))

    """
  }

  /// It says what to start, as JSON; what it is answered.
  func register(_ activation: JSON, in cgroup: Cgroup? = nil) throws -> JSON {
    let plain = command("register", activation.text)
    let (text, exit) = try Program(cgroup?.command(plain) ?? plain).text()
    try #require(exit == 0, "\(text)")
    return try JSON(parsing: text)
  }

  /// Its record of being started: `started SECONDS` and `event NUMBER`.
  var lines: [String] {
    (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  var starts: [Double] {
    lines.filter { $0.hasPrefix("started ") }.compactMap { Double($0.dropFirst(8)) }
  }

  var events: [Int] {
    lines.filter { $0.hasPrefix("event ") }.compactMap { Int($0.dropFirst(6)) }
  }

  private static let text = """
    import dbus.bus, json, socket, sys, time
    verb, log, path, address, activation = sys.argv[1:]
    def note(text):
        with open(log, "a") as f: f.write(text + "\\n")
    if verb != "register": note("started %.3f" % time.monotonic())
    if address != "none":
        bus = dbus.bus.BusConnection(address)
        name = dbus.service_name = bus.request_name("\(name)")
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    f, out = s.makefile("r"), s.makefile("w")
    last = 0
    def ask(method, **params):
        global last
        last += 1
        out.write(json.dumps({"jsonrpc": "2.0", "id": last, "method": method, "params": params}) + "\\n")
        out.flush()
        while True:
            answer = json.loads(f.readline())
            if answer.get("id") == last: return answer
    if verb == "register":
        answer = ask("setActivation", **json.loads(activation))
        ask("startMonitoring", region={"identifier": "home", "type": "circle", "latitude": 45,
            "longitude": 7, "radius": 400})
        print(json.dumps(answer))
        sys.exit()
    out.write('{"jsonrpc":"2.0","id":0,"method":"hello"}\\n'); out.flush()
    for line in f:
        number = json.loads(line).get("params", {}).get("event")
        if number is None: continue
        note("event %d" % number)
        if verb == "run": ask("acknowledge", event=number)
        sys.exit()
    """
}

/// A drive to and fro over the edge of a region of 400 m, which takes a second.
let toAndFro = (0..<600).map { i in
  let north = Double(i % 120 < 60 ? i % 120 : 120 - i % 120) * 18 / 111_131.7
  let moment = String(format: "2026-03-01T10:%02d:%02dZ", i / 60, i % 60)
  return """
    {"timestamp":"\(moment)","latitude":\(45 + north),"longitude":7,"horizontalAccuracy":5}
    """
}.joined(separator: "\n")
