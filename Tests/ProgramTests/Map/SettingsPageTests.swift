import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The page of settings", .serialized) struct SettingsPageTests {
  /// `locationctl settings`, and the address that it says.
  private func settings(
    _ daemon: RunningDaemon, zone: String = "UTC"
  ) throws -> (program: Program, address: String) {
    let program = try daemon.control(
      "settings", "--no-browser",
      environment: [
        "XDG_DATA_DIRS": daemon.folder.appending(path: "data").path, "TZ": zone,
      ])
    return (program, try program.line())
  }

  private static let entry = "[Desktop Entry]\nName=Walking <i>tours\nIcon=walk\n"
  private static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><circle cx="24" cy="24" r="20" fill="green"/></svg>
    """

  @Test(
    "a person finds an app's accesses on it, pauses, resumes, takes its permission and forgets",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func person() throws {
    let daemon = try RunningDaemon(files: [
      "locationd.conf": "", "data/applications/org.a.Walk.desktop": Self.entry,
      "data/icons/hicolor/scalable/apps/walk.svg": Self.icon,
    ])
    let client = try daemon.connect()
    _ = try client.ask(
      "permissions.set", ["app": "app:org.a.Walk", "authorization": "denied"])
    _ = try client.ask("hello", ["name": "Walker <b>"])
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let (program, address) = try settings(daemon)
    // A use of the doctor's is one of its own.
    let findings = try daemon.control("doctor", "--json").text().text
    try MapOnScreen.drive("settings", [address, "person", app, findings])
    #expect(try client.ask("hello")["result"]?["authorization"] == "denied")
    let history = try client.ask("history")["result"]?["entries"]?.array ?? []
    #expect(!history.contains { $0["app"]?.string == app })
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test(
    "each of its switches has its effect in the daemon, by the pointer and by the keyboard",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func switches() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    let app = "app:org.a.Walk"
    _ = try client.ask("permissions.set", ["app": .string(app), "authorization": "denied"])
    let (program, address) = try settings(daemon)
    try MapOnScreen.drive("settings", [address, "switches", app, daemon.socket])
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test(
    "what it cannot do is said in its language",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func gone() throws {
    let daemon = try RunningDaemon()
    let app = "app:org.a.Walk"
    _ = try daemon.connect().ask(
      "permissions.set", ["app": .string(app), "authorization": "denied"])
    let (program, address) = try settings(daemon)
    try MapOnScreen.drive("settings", [address, "gone", app, String(daemon.program.pid)])
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test(
    "its times and days are the machine's, wherever the browser is",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func zone() throws {
    let zone = "Pacific/Kiritimati"
    let daemon = try RunningDaemon(environment: ["TZ": zone])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let (program, address) = try settings(daemon, zone: zone)
    try MapOnScreen.drive("settings", [address, "has_zone", app, zone, daemon.socket])
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test(
    "accesses that an answer of the history leaves out are asked for app by app",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func long() throws {
    let map = try RunningMap()
    let driver = try MapOnScreen.driver(
      "settings", [map.address + "settings.html", "long", "app:org.a.Old"])
    let today = Date.now.formatted(.iso8601.year().month().day())
    func access(_ app: String) -> JSON {
      [
        "app": .string(app), "uid": .integer(1000), "day": .string(today), "service": "standard",
        "accuracy": "full", "background": .bool(false), "accesses": .integer(3),
        "seconds": .integer(1),
        "first": .string(today + "T10:00:00Z"), "last": .string(today + "T10:00:00Z"),
      ]
    }
    func permission(_ app: String) -> JSON {
      ["app": .string(app), "uid": .integer(1000), "authorization": "denied", "accuracy": "full"]
    }
    var pages: Int64 = 1
    var asked: [String] = []
    while pages > 0 {
      let line = try map.line()
      pages = line["pages"]?.integer ?? pages
      guard let page = line["page"], let id = line["id"], let wish = line["wish"] else { continue }
      let app = wish["of"]?["app"]?.string
      let result: JSON =
        switch wish["ask"]?.string {
        case "status": ["enabled": .bool(true)]
        case "permissions.list":
          ["permissions": .array(["app:org.a.New", "app:org.a.Old"].map(permission))]
        case "history":
          ["entries": .array([access(app ?? "app:org.a.New")]), "more": .bool(app == nil)]
        default: ["findings": .array([]), "mayTry": .bool(false)]
        }
      if wish["ask"] == "history", let app { asked.append(app) }
      map.tell(["to": page, "id": id, "value": ["result": result]])
    }
    #expect(asked == ["app:org.a.New", "app:org.a.Old"])
    let (text, exit) = try driver.text()
    #expect(exit == 0, "\(text)")
  }

  /// A folder of programs that say how they are started, into `heard`.
  private final class Desktop {
    let folder = FileManager.default.temporaryDirectory.appending(path: "desktop-\(UUID())")
    private var heardFile: String { folder.appending(path: "heard").path }

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["xdg-open", "systemd-run"] {
        try writeProgram(
          "#!/bin/sh\necho \"\(name) $*\" >>'\(heardFile)'\n", to: folder.appending(path: name).path
        )
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var heard: String { (try? String(contentsOfFile: heardFile, encoding: .utf8)) ?? "" }

    /// `asUnit`: as a service manager starts it.
    func settings(asUnit: Bool, display: String = ":7") throws -> Program {
      let begins = asUnit ? "SYSTEMD_EXEC_PID=$$ exec \"$@\"" : "SYSTEMD_EXEC_PID=1 exec \"$@\""
      return try Program(
        [
          "env", "-u", "WAYLAND_DISPLAY", "sh", "-c", begins, "sh", Program.path("locationctl"),
          "settings",
        ],
        environment: ["PATH": "\(folder.path):/usr/bin:/bin", "DISPLAY": display])
    }
  }

  @Test("the browser of a unit is started outside of it, and the journal hears no address")
  func unit() throws {
    let desktop = try Desktop()
    let unit = try desktop.settings(asUnit: true)
    #expect(try unit.line() == "The page is open in your browser")
    // The service manager logs a scope's description, which is the command else.
    let apart =
      "systemd-run --user --scope --quiet --collect --description=The browser of locationctl settings"
      + " -- xdg-open http://127.0.0.1:"
    #expect(desktop.heard.hasPrefix(apart) && desktop.heard.hasSuffix("/settings.html\n"))
    unit.signal(SIGTERM)
    #expect(try unit.text().text.isEmpty)
  }

  @Test("a person who starts it has the browser and reads its address")
  func terminal() throws {
    let desktop = try Desktop()
    let program = try desktop.settings(asUnit: false)
    let line = try program.line()
    #expect(line.hasPrefix("The page is open in your browser; Ctrl-C ends it. Its address: http:"))
    #expect(desktop.heard.hasPrefix("xdg-open http://127.0.0.1:"))
  }

  @Test("a unit without a browser fails, and says no address")
  func none() throws {
    let desktop = try Desktop()
    try FileManager.default.removeItem(at: desktop.folder.appending(path: "systemd-run"))
    try writeProgram("#!/bin/sh\nexit 3\n", to: desktop.folder.appending(path: "systemd-run").path)
    let (said, exit) = try desktop.settings(asUnit: true).text()
    #expect(exit == 1 && said.contains("no browser opens") && !said.contains("http"), "\(said)")
  }

  @Test("the page is served as the map is: to a browser that knows the token, at our own address")
  func guarded() throws {
    let map = try RunningMap()
    for name in ["settings.html", "settings.css", "settings.js"] {
      #expect(try map.ask("/\(map.token)/\(name)").hasPrefix("HTTP/1.1 200 "), "\(name)")
    }
    let stranger = String(map.token.reversed())
    #expect(try map.ask("/\(stranger)/settings.html").hasPrefix("HTTP/1.1 404 "))
    // Another site's page learns nothing, and wishes nothing.
    let page = "/\(map.token)/settings.html"
    for header in [
      ("Host", "evil.example"), ("Host", "evil.example:\(map.port)"),
      ("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
    ] {
      let answer = try map.ask(page, headers: [header])
      #expect(answer.hasPrefix("HTTP/1.1 40") && answer.hasSuffix("\r\n\r\n"), "\(header)")
      for wish in ["pause", "history", "permissions.set"] {
        let answer = try map.ask(
          "/\(map.token)/wish", method: "POST",
          headers: [("Content-Type", "application/json"), header],
          body: #"{"page":1,"id":1,"wish":{"ask":"\#(wish)"}}"#)
        #expect(answer.hasPrefix("HTTP/1.1 40"), "\(header) \(wish)")
      }
    }
  }

  @Test(
    "another user gets no page of a person's, even with its address", .asRoot,
    .enabled(if: AsRoot.isPossible, AsRoot.missing))
  func users() throws {
    let daemon = try RunningDaemon()
    let (program, address) = try settings(daemon)
    let script = """
      import sys, urllib.request
      try:
          print(len(urllib.request.urlopen(sys.argv[1] , timeout=30).read()) > 0)
      except OSError:
          print('nothing')
      """
    func ask(as user: [String]) throws -> String {
      try Program(user + ["/usr/bin/python3", "-c", script, address]).text().text
    }
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    #expect(try ask(as: other) == "nothing\n")
    #expect(try ask(as: []) == "True\n")
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }
}
