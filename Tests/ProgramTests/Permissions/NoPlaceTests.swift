import DBus
import Foundation
import Geodesy
import Glibc
import LocationCore
import LocationModel
import Platform
import TestSupport
import Testing

/// A program that asks for everything by every door, and all that it was sent.
private final class Curious {
  private let daemon: RunningDaemon
  private let program: Program
  private let control: Speaker
  private var pending: [UInt8] = []

  /// `wrapper`: what the program is started by.
  init(of daemon: RunningDaemon, on bus: PrivateBus, wrapper: [String] = []) throws {
    self.daemon = daemon
    let path = daemon.folder.appending(path: "control-\(UUID().uuidString.prefix(8))").path
    let listener = try Listener.unix(path)
    chmod(path, 0o777)
    let script = daemon.folder.appending(path: "curious.py")
    if access(script.path, F_OK) != 0 {
      try FileManager.default.copyItem(
        at: PrivateBus.house.appending(path: "Tests/Attackers/curious.py"), to: script)
      chmod(script.path, 0o644)
      chmod(daemon.folder.path, 0o755)
    }
    program = try Program(
      wrapper + ["/usr/bin/python3", script.path, daemon.socket, bus.address, path])
    control = try listener.accept()
    #expect(try line() == "ready")
  }

  private func line() throws -> String {
    let flags = Int32(MSG_DONTWAIT)
    var isOver = false
    let isDone = eventually(within: patience * 5) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(control.descriptor, &bytes, bytes.count, flags)
      if count > 0 { pending += bytes[..<count] }
      isOver = count == 0
      return isOver || pending.last == 0x0A
    }
    if isOver { Issue.record("the program ended: \(try program.text().text)") }
    try #require(isDone && !isOver, "no answer")
    defer { pending = [] }
    return String(decoding: pending.dropLast(), as: UTF8.self)
  }

  /// Forgets what was sent until now.
  func mark() throws {
    control.say("mark\n")
    #expect(try line() == "marked")
  }

  /// Listens until the daemon has had so many more fixes.
  func ask(fixes: Int64) throws -> Sent {
    begin()
    try waitUntilItListens()
    try daemon.waitForFixes(fixes)
    return try sent()
  }

  /// Several may be at it at a time.
  func begin() { control.say("ask\n") }
  func waitUntilItListens() throws { #expect(try line() == "listening") }

  func sent() throws -> Sent {
    control.say("end\n")
    return Sent(bytes: try #require(Data(base64Encoded: try line())))
  }
}

/// Every byte that a program was sent.
private struct Sent {
  var bytes: Data

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Where the machine is, in whatever rendering: in text as degrees, radians, millionths or as
  /// receivers write it, and as the bits of a number.
  var places: [String] {
    let plain = text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "")
      .replacing(/"(stateAge|lastFixAge)":[\d.]+/, with: "")
    var found = plain.matches(of: /\d+(\.\d+)?/).map { String($0.output.0) }.filter {
      guard let number = Double($0) else { return false }
      return Track.forms.contains { $0.contains(number) }
    }
    bytes.withUnsafeBytes { raw in
      for offset in 0..<max(0, raw.count - 7) where Track.firstBytes.contains(raw[offset + 7]) {
        let bits = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let number = Double(bitPattern: UInt64(littleEndian: bits))
        // Ages are told in milliseconds, to the daemon's own user; no place is a whole number of them.
        let isAge = (number * 1000).rounded() / 1000 == number
        if !isAge, Track.angles.contains(where: { $0.contains(number) }) {
          found.append("bits of \(number)")
        }
      }
    }
    return found
  }

  /// Words that are said of a place only.
  var words: [String] {
    [
      "trueHeading", "idEnterRegion", "idExitRegion", "idVisit", "idDetermineState", "\"inside\"",
      "\"outside\"", "\"latitude\":68.4", "didUpdateLocations", "DidUpdateLocations",
      "LocationUpdated",
    ].filter(text.contains)
  }
}

/// North for a kilometre, a rest, back, a rest, and so on; where no number of a time or a counter can be
/// taken for a place, and no angle is a whole number of thousandths.
private enum Track {
  static let latitude = 68.4381
  static let heading = 238.5

  static let angles = [
    68.4375...68.4505, 117.398...117.402,
    (68.4375 * .pi / 180)...(68.4505 * .pi / 180), (117.398 * .pi / 180)...(117.402 * .pi / 180),
  ]
  /// The first eight bits of each angle: most other bytes need no further look.
  static let firstBytes = Set(
    angles.flatMap { [$0.lowerBound, $0.upperBound] }.map { UInt8($0.bitPattern >> 56) })
  static let forms =
    angles + [6826.25...6826.99, 68_437_500...68_450_500, 684_375_000...684_505_000]

  static var recording: String { (0..<900).map(epoch).joined() }

  private static func epoch(at second: Int) -> String {
    let metres: Int
    switch second {
    case ..<100: metres = second * 10
    case ..<450: metres = 1000
    case ..<550: metres = 1000 - (second - 450) * 10
    default: metres = 0
    }
    let isMoving = second < 100 || (450..<550).contains(second)
    let time = String(format: "12%02d%02d.00", second / 60, second % 60)
    let minutes = (latitude - 68) * 60 + Double(metres) / 111_540 * 60
    let place = String(format: "68%09.6f,N,11724.003000,E", minutes)
    let speed = isMoving ? "19.44" : "0.00"
    return Recording.sentence("HCHDM,\(heading),M")
      + Recording.sentence("GPRMC,\(time),A,\(place),\(speed),0.0,201126,,,A")
      + Recording.sentence("GPGGA,\(time),\(place),1,09,0.9,240.0,M,48.0,M,,")
  }
}

@Suite("Nobody is told who may not know", .serialized) struct NoPlaceTests {
  private let bus: PrivateBus
  private let logind: Logind
  private let daemon: RunningDaemon
  private let administrator: SocketClient
  private static let uid: uid_t = getuid() == 0 ? 65534 : getuid()

  init() throws {
    bus = try PrivateBus(
      policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"], guests: [Logind.name])
    logind = try Logind(on: bus)
    daemon = try RunningDaemon(
      ["replay://{folder}/track.nmea?rate=150&loop=1"],
      files: [
        "track.nmea": Track.recording, "locationd.conf": "[dbus]\ngeoclue=yes\n",
        "policy.d/ask.conf": "[Rule]\nAction=ask\n",
      ], bus: bus, flags: ["--in-use", "logind"])
    administrator = try daemon.connect()
    // A call to a name that nobody has yet fails, and the curious does not repeat it.
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    try client.waitForDaemon("org.freedesktop.GeoClue2")
    try logind.open("c1", of: Self.uid)
  }

  private func become(_ command: [String] = []) -> [String] {
    getuid() == 0
      ? ["setpriv", "--reuid=\(Self.uid)", "--regid=\(Self.uid)", "--clear-groups"] + command
      : command
  }

  private func start() throws -> Curious { try Curious(of: daemon, on: bus, wrapper: become()) }

  private func set(_ app: String, _ authorization: String, _ accuracy: String = "full") throws {
    let answer = try administrator.ask(
      "permissions.set",
      [
        "app": .string(app), "uid": .integer(Int64(Self.uid)),
        "authorization": .string(authorization), "accuracy": .string(accuracy),
      ])
    #expect(answer["result"] == [:])
  }

  private var app: String {
    "user:\(getpwuid(Self.uid).map { String(cString: $0.pointee.pw_name) } ?? "")"
  }

  private func lock(_ isLocked: Bool) throws {
    try logind.change("c1", ["LockedHint": .bool(isLocked)])
  }

  @Test("every way tells the place to who may know it")
  func control() throws {
    let curious = try start()
    try set(app, "authorizedAlways")
    var missing: [String] = []
    let isAll = try eventually(within: patience * 3) {
      let sent = try curious.ask(fixes: 1350)
      missing = [
        "\"location\":{\"latitude\":68.4", "\"service\":\"standard\"",
        "\"service\":\"significant\"",
        "didVisit", "didEnterRegion", "didExitRegion", "didDetermineState", "trueHeading",
        "DidUpdateLocations", "DidVisit", "DidEnterRegion", "DidExitRegion", "DidDetermineState",
        "LocationUpdated", "Latitude",
      ].filter { !sent.text.contains($0) }
      if !sent.places.contains(where: { $0.hasPrefix("bits") }) { missing.append("bits") }
      return missing.isEmpty
    }
    #expect(isAll, "\(missing)")
  }

  /// That neither who streamed before, nor who comes after, is sent a place in whatever way.
  private func expectNothing(_ before: [Curious], _ state: String) throws {
    for curious in before { try curious.mark() }
    let all = before.map { ($0, "before") } + [(try start(), "after")]
    for (curious, _) in all { curious.begin() }
    for (curious, _) in all { try curious.waitUntilItListens() }
    try daemon.waitForFixes(Self.lap)
    for (curious, which) in all {
      let sent = try curious.sent()
      #expect(sent.text.contains("protocol"), "\(state), \(which)")
      #expect(sent.places.isEmpty, "\(state), \(which): \(sent.places.prefix(10))")
      #expect(sent.words.isEmpty, "\(state), \(which): \(sent.words)")
      // Services that need no place go on.
      #expect(sent.text.contains("\"magneticHeading\":\(Track.heading)"), "\(state), \(which)")
    }
  }

  /// Streams by every way.
  private func expectPlaces(_ curious: Curious, _ state: String) throws {
    let isTold = try eventually(within: patience) {
      let sent = try curious.ask(fixes: 225)
      return sent.text.contains("didUpdateLocations") && sent.text.contains("DidUpdateLocations")
        && sent.text.contains("LocationUpdated") && !sent.places.isEmpty
    }
    #expect(isTold, "\(state)")
  }

  /// The track there and back, and some of what that sets off.
  private static let lap: Int64 = 1000

  @Test("denied, restricted, reset, switched off or kept away by a file: nothing by any way")
  func refused() throws {
    // The source is open, and its place known, all the time; but who runs all of this as one user is
    // the app itself.
    let watcher = try daemon.connect()
    if getuid() == 0 {
      let root = try #require(try watcher.ask("hello")["result"]?["app"])
      let rootMay: JSON = ["app": root, "authorization": "authorizedAlways"]
      _ = try watcher.ask("permissions.set", rootMay)
      _ = try watcher.ask("startUpdatingLocation")
    }
    let curious = try start()
    try expectNothing([curious], "not determined")

    let uid = JSON.integer(Int64(Self.uid))
    let selection: JSON = ["app": .string(app), "uid": uid]
    let states: [(String, () throws -> Void, () throws -> Void)] = [
      ("denied", { try self.set(self.app, "denied") }, {}),
      (
        "restricted", { try self.set(self.app, "restricted") },
        { _ = try self.administrator.ask("permissions.unrestrict", selection) }
      ),
      ("reset", { _ = try self.administrator.ask("permissions.reset", selection) }, {}),
      (
        "switched off",
        { _ = try self.administrator.ask("services.set", ["enabled": .bool(false)]) },
        { _ = try self.administrator.ask("services.set", ["enabled": .bool(true)]) }
      ),
      (
        "denied by a file",
        {
          try self.reload("[Rule]\nAction=ask\n[Rule]\nAction=deny\nUser=\(Self.uid)\n", "denied")
        },
        { try self.reload("[Rule]\nAction=ask\n", "authorizedAlways") }
      ),
    ]
    for (state, take, give) in states {
      try set(app, "authorizedAlways")
      try expectPlaces(curious, "before: \(state)")
      try take()
      try expectNothing([curious], state)
      try give()
    }
    daemon.program.signal(SIGTERM)
    let log = Sent(bytes: Data(try daemon.program.text().text.utf8))
    #expect(log.text.contains("authorizedAlways"))
    #expect(log.places.isEmpty, "\(log.places.prefix(10))")
  }

  /// Has the rules read again, and waits until they hold.
  private func reload(_ rules: String, _ authorization: String) throws {
    try daemon.write(rules, to: "policy.d/ask.conf")
    daemon.program.signal(SIGHUP)
    let holds = try eventually(within: patience) {
      try clients().allSatisfy { $0["authorization"]?.string == authorization }
    }
    #expect(holds)
  }

  /// The app's clients, as an administrator sees them.
  private func clients() throws -> [JSON] {
    let all = try administrator.ask("status")["result"]?["clients"]?.array ?? []
    return all.filter { $0["app"]?.string == app }
  }

  @Test("out of use: nothing by any way, until somebody is there again")
  func outOfUse() throws {
    let curious = try start()
    try set(app, "authorizedWhenInUse")
    try expectPlaces(curious, "in use")
    for round in 0..<2 {
      try lock(true)
      #expect(try eventually(within: patience) { try self.isNobodyInUse() }, "\(round)")
      try expectNothing([curious], "locked")
      try lock(false)
      try expectPlaces(curious, "back")
    }
  }

  private func isNobodyInUse() throws -> Bool {
    try clients().allSatisfy { $0["inUse"] == .bool(false) }
  }

  @Test("reduced: the cell's place, and nothing of the true one by any way")
  func reduced() throws {
    let curious = try start()
    try set(app, "authorizedAlways")
    try expectPlaces(curious, "full")
    try set(app, "authorizedAlways", "reduced")
    try curious.mark()
    for which in [curious, try start()] {
      let sent = try which.ask(fixes: Self.lap)
      #expect(sent.places.isEmpty, "\(sent.places.prefix(10))")
      #expect(sent.text.contains("\"latitude\":68.425"))
      for word in ["idEnterRegion", "idExitRegion", "idDetermineState", "\"inside\""] {
        #expect(!sent.text.contains(word), "\(word)")
      }
      let headings = sent.text.split(separator: "\n")
        .compactMap { try? JSON(parsing: String($0))["params"]?["heading"].flatMap(Heading.init) }
      let north = try #require(headings.last?.trueHeading)
      let cell = Coordinate(latitude: 68.425, longitude: try #require(sent.longitude))
      let year = 2026 + 11.0 / 12
      let declination = try #require(MagneticField(at: cell, year: year).declination)
      #expect(abs(north - Track.heading - declination) < 0.01)
    }
  }

  @Test(
    "in a sandbox: what its user's other programs may do is nothing to it",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func sandboxed() throws {
    try set(app, "authorizedAlways")
    let open = try start()
    try expectPlaces(open, "outside")
    // The name is the same, but nobody can tell who is behind the walls.
    if try Program(become(["unshare", "--user", "true"])).exit() == 0 {
      let hidden = try Curious(of: daemon, on: bus, wrapper: become(["unshare", "--user"]))
      let sent = try hidden.ask(fixes: Self.lap)
      #expect(sent.places.isEmpty, "\(sent.places.prefix(10))")
      #expect(sent.words.isEmpty, "\(sent.words)")
      #expect(!sent.text.contains("\"identifier\":\"edge\""))
    }
    let cgroup = try Cgroup(
      IdentityTests.users + "/app.slice/app-flatpak-org.test.Curious-4711.scope")
    let flatpak = try Curious(of: daemon, on: bus, wrapper: cgroup.command(become()))
    func expectNothing(_ state: String) throws {
      try flatpak.mark()
      let sent = try flatpak.ask(fixes: Self.lap)
      #expect(sent.text.contains("flatpak:org.test.Curious"), "\(state)")
      #expect(sent.places.isEmpty, "\(state): \(sent.places.prefix(10))")
      #expect(sent.words.isEmpty, "\(state): \(sent.words)")
    }
    try expectNothing("not determined")
    try set("flatpak:org.test.Curious", "authorizedAlways")
    try expectPlaces(flatpak, "a flatpak")
    try set("flatpak:org.test.Curious", "denied")
    try expectNothing("denied")
  }
}

extension Sent {
  /// The last place that it says.
  fileprivate var longitude: Double? {
    text.matches(of: /"longitude":([-\d.]+)/).last.flatMap { Double($0.output.1) }
  }
}
