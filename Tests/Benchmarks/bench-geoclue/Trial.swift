import DBus
import Glibc
import LocationModel
import Platform

/// Where the bus, the receiver's socket and the configurations are.
struct Room {
  let folder: String
  var bus: String { "unix:path=\(folder)/bus" }
  var receiver: String { folder + "/receiver" }
  private let daemon: Process

  init(_ name: String) throws {
    let folder = "/tmp/bench-geoclue-\(name)-\(getpid())"
    self.folder = folder
    mkdir(folder, 0o755)
    try Self.write("\(folder)/bus.conf", Self.busConfiguration(folder))
    try Self.write("\(folder)/locationd.conf", "[dbus]\ngeoclue=yes\n")
    try Self.write("\(folder)/geoclue.conf", Self.geoclueConfiguration(folder + "/receiver"))
    daemon = try Process([
      "dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf",
    ])
    while access(folder + "/bus", F_OK) != 0 { usleep(1000) }
  }

  func clear() {
    daemon.stop()
    for name in ["bus", "bus.conf", "locationd.conf", "geoclue.conf", "receiver", "socket"] {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }

  private static func write(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "w") else { throw Failure(what: path) }
    fputs(text, file)
    fclose(file)
  }

  private static func busConfiguration(_ folder: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>system</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
    <allow eavesdrop="false"/></policy></busconfig>
    """
  }

  private static func geoclueConfiguration(_ receiver: String) -> String {
    let off = ["ip", "3g", "cdma", "modem-gps", "wifi", "compass", "static-source"]
    return "[agent]\nwhitelist=bench\n[network-nmea]\nenable=true\nnmea-socket=\(receiver)\n"
      + off.map { "[\($0)]\nenable=false\n" }.joined()
  }
}

struct Failure: Error { var what: String }

/// Something that serves GeoClue's interfaces.
struct Server {
  var name: String
  /// In a room.
  var command: (Room) -> [String]

  static func ours(_ folder: String) -> Server {
    Server(name: "locationd") { room in
      [
        "\(folder)/locationd", "--config", "\(room.folder)/locationd.conf", "--bus", room.bus,
        "--source", "nmea+unix://\(room.receiver)", "--state", "none", "--in-use", "connected",
        "--socket", "\(room.folder)/socket", "--log-level", "error",
      ]
    }
  }

  /// With a configuration of ours in the place of its own, seen by itself alone.
  static func theirs(_ room: Room) -> Server? {
    let program = "/usr/libexec/geoclue"
    guard access(program, X_OK) == 0, getuid() == 0 else { return nil }
    return Server(name: "GeoClue") { room in
      [
        "unshare", "--mount", "sh", "-c",
        "mount --bind \(room.folder)/geoclue.conf /etc/geoclue/geoclue.conf"
          + " && DBUS_SYSTEM_BUS_ADDRESS=\(room.bus) exec \(program) -t 0",
      ]
    }
  }
}

/// A server that runs, its receiver, its clients' agent, and what they hear.
final class Trial {
  let server: Server
  let process: Process
  let receiver: Receiver
  let loop: EventLoop
  /// Milliseconds from its start.
  private(set) var firstReply = 0.0
  /// Clients that were started, and the signals that they have heard.
  private(set) var clients: [BusConnection] = []
  var told = 0
  private let bus: String
  private let agent: BusConnection
  private var agentObject: BusObject?

  private static let service = "org.freedesktop.GeoClue2"
  private static let manager = "/org/freedesktop/GeoClue2/Manager"

  init(of server: Server, in room: Room, clients count: Int) throws {
    self.server = server
    bus = room.bus
    receiver = try Receiver(at: room.receiver)
    loop = try EventLoop()
    agent = try Self.connect(room.bus, loop)
    let start = Clock.boottime
    process = try Process(server.command(room))
    while true {
      let answer = try? ask(
        agent, Self.manager, "org.freedesktop.DBus.Properties", "Get",
        [.string(Self.service + ".Manager"), .string("InUse")])
      if answer != nil { break }
      guard Clock.boottime - start < .seconds(10) else { throw Failure(what: server.name) }
      usleep(200)
    }
    firstReply = Clock.boottime.seconds(since: start) * 1e3
    let object = BusObject(
      "/org/freedesktop/GeoClue2/Agent", target: self,
      [
        BusInterface(
          Self.service + ".Agent",
          methods: [
            BusMethod(
              "AuthorizeApp", in: [.init("id", "s"), .init("level", "u")],
              out: [.init("authorized", "b"), .init("level", "u")]
            ) { (_: Trial, call) throws(BusError) in [.bool(true), call.arguments[1]] }
          ],
          properties: [BusProperty("MaxAccuracyLevel", "u") { (_: Trial) in .uint32(8) }])
      ])
    agentObject = object
    try agent.export(object)
    _ = try ask(
      agent, Self.manager, Self.service + ".Manager", "AddAgent", [.string("bench")])
    clients = try (0..<count).map { _ in try client() }
  }

  func stop() {
    process.stop()
    receiver.stop()
    if let agentObject { agent.remove(agentObject) }
    agentObject = nil
  }

  private static func connect(_ bus: String, _ loop: EventLoop) throws -> BusConnection {
    let connection = try BusConnection(to: .address(bus), on: loop) { _ in }
    while connection.uniqueName == nil { try loop.turn(within: .milliseconds(100)) }
    return connection
  }

  private func ask(
    _ connection: BusConnection, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = []
  ) throws -> [BusValue] {
    var answer: BusCall.Answer?
    let call = connection.call(
      try BusMessage(to: Self.service, path, interface, member, arguments)
    ) { answer = $0 }
    while answer == nil { try loop.turn(within: .milliseconds(100)) }
    return try withExtendedLifetime(call) { try answer?.get().arguments() ?? [] }
  }

  private func client() throws -> BusConnection {
    let connection = try Self.connect(bus, loop)
    connection.signals = { [unowned self] in if $0.member == "LocationUpdated" { told += 1 } }
    let interface = Self.service + ".Client"
    let path = try ask(connection, Self.manager, Self.service + ".Manager", "GetClient")
    guard let path = path.first?.asString else { throw Failure(what: "GetClient") }
    for (name, value) in [("DesktopId", .string("bench")), ("RequestedAccuracyLevel", .uint32(8))]
      as [(String, BusValue)]
    {
      _ = try ask(
        connection, path, "org.freedesktop.DBus.Properties", "Set",
        [.string(interface), .string(name), .variant(value)])
    }
    _ = try ask(connection, path, interface, "Start")
    return connection
  }
}
