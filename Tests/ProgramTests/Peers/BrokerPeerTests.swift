import Foundation
import Glibc
import TestSupport
import Testing

/// `make peers` runs these, with others' servers, which it installs.
@Suite("Others' brokers", .serialized, .enabled(if: isAmongPeers, "make peers installs them"))
struct BrokerPeerTests {
  private static let longest: Double = 180
  private static let count: Int64 = 600

  enum Software: String, CaseIterable {
    case nats = "NATS with JetStream"
    case rabbit = "RabbitMQ"
    case amqtt

    func start() throws -> RunningBroker {
      try RunningBroker { folder, port in
        switch self {
        case .nats: try Self.nats(folder, port)
        case .rabbit: try Self.rabbit(folder, port)
        case .amqtt: try Self.amqtt(folder, port)
        }
      }
    }

    private static func nats(_ folder: URL, _ port: Int) throws -> () throws -> Program {
      let file = folder.appending(path: "conf")
      try """
      server_name: peer
      listen: "127.0.0.1:-1"
      jetstream { store_dir: "\(folder.path)" }
      mqtt { listen: "127.0.0.1:\(port)" }
      """.write(to: file, atomically: true, encoding: .utf8)
      return { try Program(["nats-server", "-c", file.path]) }
    }

    private static func rabbit(_ folder: URL, _ port: Int) throws -> () throws -> Program {
      try "[rabbitmq_mqtt].".write(
        to: folder.appending(path: "plugins"), atomically: true, encoding: .utf8)
      try """
      listeners.tcp = none
      mqtt.listeners.tcp.1 = 127.0.0.1:\(port)
      mqtt.allow_anonymous = true
      """.write(to: folder.appending(path: "rabbitmq.conf"), atomically: true, encoding: .utf8)
      let library = "/usr/lib/rabbitmq/lib"
      let version = try #require(
        FileManager.default.contentsOfDirectory(atPath: library)
          .first { $0.hasPrefix("rabbitmq_server") })
      let environment = [
        "HOME": folder.path, "RABBITMQ_NODENAME": "peer\(port)@localhost",
        "RABBITMQ_MNESIA_BASE": folder.path, "RABBITMQ_LOG_BASE": folder.path,
        "RABBITMQ_PID_FILE": folder.appending(path: "pid").path,
        "RABBITMQ_ENABLED_PLUGINS_FILE": folder.appending(path: "plugins").path,
        "RABBITMQ_CONFIG_FILE": folder.appending(path: "rabbitmq").path,
        "RABBITMQ_DIST_PORT": "\(port + 1)", "ERL_EPMD_PORT": "\(port + 2)",
        // The script becomes the server, and starts no name server that stays.
        "RUNNING_UNDER_SYSTEMD": "yes", "ERL_CRASH_DUMP_SECONDS": "0",
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-start_epmd false",
      ]
      let names = try Program(["epmd", "-port", "\(port + 2)"])
      return {
        try withExtendedLifetime(names) {
          try Program(["\(library)/\(version)/sbin/rabbitmq-server"], environment: environment)
        }
      }
    }

    private static func amqtt(_ folder: URL, _ port: Int) throws -> () throws -> Program {
      let file = folder.appending(path: "conf.yaml")
      try """
      listeners:
        default:
          type: tcp
          bind: 127.0.0.1:\(port)
      """.write(to: file, atomically: true, encoding: .utf8)
      let packages = Checkout.path + "/.build/peers/amqtt"
      return {
        try Program(
          [
            "/usr/bin/python3", "-c", "from amqtt.scripts.broker_script import main; main()", "-c",
            file.path,
          ],
          environment: ["PYTHONPATH": packages])
      }
    }
  }

  @Test(
    "take the whole track in order, though broker and tracker are killed on the way",
    arguments: Software.allCases)
  func delivery(software: Software) throws {
    let broker = try software.start()
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: Int(Self.count))
    try subscriber.takeAll(of: broker, 1, within: Self.longest)
    try board.start()
    try Self.hearsHalf(subscriber)
    // The broker may lose what it acknowledged in its last second, or what a subscriber did.
    board.program.signal(SIGSTOP)
    try subscriber.takeAll(of: broker, 2, within: Self.longest)
    try broker.rest(within: Self.longest)
    try broker.kill()
    try board.kill()
    try broker.startAgain()
    try subscriber.takeAll(of: broker, 3, within: Self.longest)
    try board.start()
    let twice = Self.hearsAll(subscriber)
    print("\(software.rawValue): \(Self.count) entries, \(twice) came twice")
    // The tracker has eight under way; a broker repeats twenty to a subscriber that it has not heard of since.
    #expect(twice <= 8 + 20)
  }

  @Test(
    "that write before they acknowledge lose nothing, though they and the tracker are killed in their work",
    arguments: [Software.nats])
  func killedInWork(software: Software) throws {
    let broker = try software.start()
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: Int(Self.count), more: "Rate=60/s")
    try subscriber.takeAll(of: broker, 1, within: Self.longest)
    try board.start()
    for part in 1...4 {
      try Self.hears(subscriber, Self.count * Int64(part) / 5)
      if part % 2 == 1 {
        try broker.kill()
        try broker.startAgain()
      } else {
        try board.kill()
        try board.start()
      }
    }
    let twice = Self.hearsAll(subscriber)
    print("\(software.rawValue), killed in its work: \(Self.count) entries, \(twice) came twice")
    // Eight of the tracker's at each kill, and twenty that the broker has no word of the subscriber about.
    #expect(twice <= 4 * 8 + 2 * 20)
  }

  private static func hearsHalf(_ subscriber: Subscriber) throws {
    try hears(subscriber, count / 2)
  }

  private static func hears(_ subscriber: Subscriber, _ enough: Int64) throws {
    try #require(
      eventually(within: longest) {
        subscriber.listen()
        return subscriber.numbers(of: "van").count >= enough
      })
  }

  /// All of them in order; how many came twice.
  private static func hearsAll(_ subscriber: Subscriber) -> Int {
    let whole = Set(1...count)
    _ = eventually(within: longest) {
      subscriber.listen()
      return whole.isSubset(of: subscriber.numbers(of: "van"))
    }
    let heard = subscriber.numbers(of: "van")
    #expect(whole.subtracting(heard).isEmpty)
    var seen: Set<Int64> = []
    let told = heard.filter { seen.insert($0).inserted }
    #expect(told == told.sorted())
    return heard.count - seen.count
  }

  /// A node, which may be joined to another.
  private static func node(
    _ number: Int, _ names: Program, at port: Int
  ) throws -> RunningBroker {
    try RunningBroker(user: "van") { folder, own in
      let file = folder.appending(path: "ejabberd.yml")
      try """
      hosts: [localhost]
      loglevel: error
      listen: [{port: \(own), ip: "127.0.0.1", module: mod_mqtt}]
      auth_method: [anonymous]
      anonymous_protocol: login_anon
      allow_multiple_connections: true
      modules:
        mod_mqtt: {access_publish: {"#": [{allow: all}]}, access_subscribe: {"#": [{allow: all}]}}
      """.write(to: file, atomically: true, encoding: .utf8)
      let environment = [
        "HOME": folder.path, "EJABBERD_CONFIG_PATH": file.path,
        "EJABBERD_LOG_PATH": folder.appending(path: "log").path, "ERL_EPMD_PORT": "\(port)",
        "ERL_LIBS": "/usr/lib/\(Self.architecture)-linux-gnu", "ERL_CRASH_DUMP_SECONDS": "0",
      ]
      let name = "peer\(number)@localhost"
      let command = [
        "setpriv", "--pdeathsig", "KILL", "erl", "-sname", name, "-setcookie", "peers",
        "-start_epmd", "false", "-noinput", "-mnesia", "dir",
        "\"\(folder.appending(path: "db").path)\"", "-s", "ejabberd",
      ]
      return {
        try withExtendedLifetime(names) { try Program(command, environment: environment) }
      }
    }
  }

  private static let architecture: String = {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }()

  /// True once the node answers a client.
  private static func answers(_ broker: RunningBroker) throws -> Bool {
    let words = ["mosquitto_pub"] + broker.client + ["-q", "1", "-t", "peer/ready", "-m", "{}"]
    return try eventually(within: longest) { try Program(words).exit() == 0 }
  }

  @Test("ejabberd in two nodes, of which one is killed, takes the whole track in order")
  func cluster() throws {
    // Below those that the kernel gives to clients, and beside the brokers'.
    let port = Int.random(in: 12_000...19_000)
    let names = try Program(["epmd", "-port", "\(port)"])
    defer { names.signal(SIGKILL) }
    let first = try Self.node(1, names, at: port)
    try #require(try Self.answers(first))
    let second = try Self.node(2, names, at: port)
    try #require(try Self.answers(second))
    let (words, exit) = try Program(
      [
        "erl_call", "-sname", "peer2@localhost", "-c", "peers", "-timeout", "60", "-a",
        "ejabberd_cluster join ['peer1@localhost']",
      ],
      environment: [
        "ERL_EPMD_PORT": "\(port)", "HOME": FileManager.default.temporaryDirectory.path,
      ]
    ).text()
    try #require(exit == 0 && words.contains("ok"), "\(words)")
    try #require(try Self.answers(second))
    let subscriber = try Subscriber(second)
    let board = try Board(
      "van", first, entries: Int(Self.count),
      more: "Batch=8\nURL=mqtt://van@127.0.0.1:\(second.port)/owntracks/fleet/van\n")
    try subscriber.takeAll(of: first, 1, within: Self.longest)
    try board.start()
    try Self.hearsHalf(subscriber)
    // A node acknowledges what it has passed on and the other has not taken yet.
    board.program.signal(SIGSTOP)
    try subscriber.takeAll(of: first, 2, within: Self.longest)
    try first.kill()
    board.program.signal(SIGCONT)
    let twice = Self.hearsAll(subscriber)
    print("ejabberd: \(Self.count) entries, \(twice) came twice")
    #expect(twice <= 8)
  }
}
