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
      let packages = Checkout.path + "/.build/peers/python"
      return {
        try Program(
          [
            "python3", "-c", "from amqtt.scripts.broker_script import main; main()", "-c",
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
    try #require(
      eventually(within: Self.longest) {
        subscriber.listen()
        return subscriber.numbers(of: "van").count >= Self.count / 2
      })
    // The broker may lose what it acknowledged in its last second: the subscriber takes it first.
    board.program.signal(SIGSTOP)
    try subscriber.takeAll(of: broker, 2, within: Self.longest)
    try broker.kill()
    try board.kill()
    try broker.startAgain()
    try subscriber.takeAll(of: broker, 3, within: Self.longest)
    try board.start()
    let whole = Set(1...Self.count)
    _ = eventually(within: Self.longest) {
      subscriber.listen()
      return whole.isSubset(of: subscriber.numbers(of: "van"))
    }
    let heard = subscriber.numbers(of: "van")
    #expect(whole.subtracting(heard).isEmpty)
    var first: [Int64] = []
    var seen: Set<Int64> = []
    for number in heard where seen.insert(number).inserted { first.append(number) }
    #expect(first == first.sorted())
    print("\(software.rawValue): \(whole.count) entries, \(heard.count - seen.count) came twice")
  }
}
