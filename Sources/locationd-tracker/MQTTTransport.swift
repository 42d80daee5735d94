import LocationModel
import MQTT
import Platform
import TrackCore

/// OwnTracks' messages to a broker.
final class MQTTTransport: Transport {
  private let topic: String
  private let words: OwnTracks
  private let subscribes: Bool
  private let body: (UplinkMachine.Input) -> Void
  private var connection: MQTTConnection?
  /// Waypoints that the broker has not confirmed, by its numbers.
  private var announcing: Set<Int32> = []

  init(
    _ plan: UplinkPlan, _ way: BrokerMemory.Connection, on loop: EventLoop,
    _ body: @escaping (UplinkMachine.Input) -> Void
  ) throws(SystemError) {
    self.body = body
    let last = plan.address.path.split(separator: "/").last.map(String.init)
    let device = plan.device ?? last ?? Process.hostName
    topic =
      plan.address.path.isEmpty
      ? "owntracks/\(plan.address.user ?? device)/\(device)" : plan.address.path
    words = OwnTracks(device: device)
    var broker = MQTTConnection.Broker(
      host: plan.address.host, port: plan.address.port, clientID: "locationd-\(device)")
    broker.isSecure = plan.address.isSecure
    broker.isVersion5 = way.version == .v5
    broker.user = plan.address.user
    broker.password = try plan.secret()
    broker.authority = plan.authority
    broker.certificate = plan.certificate
    broker.key = plan.key
    // A session that is kept would bring what is not subscribed to.
    broker.keepsSession = way.subscribes
    broker.longestMessage = OwnTracks.Command.longest
    subscribes = way.subscribes
    broker.will = (topic, OwnTracks.will(Clock.utc).text)
    connection = try MQTTConnection(to: broker, on: loop) { [unowned self] in handle($0) }
  }

  /// A message is one entry: the broker's number of it is the receipt.
  func send(_ message: UplinkQueue.Message) -> (receipt: Int, bytes: Int)? {
    guard let entry = message.entries.first else { return nil }
    let words = words.message(entry)
    let (number, bytes) = publish(words, isRetained: words.subtopic.isEmpty)
    return number.map { (Int($0), bytes) }
  }

  /// The bytes around a message: MQTT's own, its acknowledgement, and the headers of TLS, TCP and IP.
  private static let heading = 140

  func sendHeartbeat(_ entry: TrackEntry) -> Int {
    publish(words.heartbeat(entry, at: Clock.utc), isRetained: true).bytes
  }

  func say(_ saying: Saying) -> Int {
    switch saying {
    case .announcement(let waypoints):
      let sent = waypoints.prefix(Self.mostAnnounced).compactMap(words.waypoint).map { publish($0) }
      announcing.formUnion(sent.compactMap(\.number))
      return sent.reduce(0) { $0 + $1.bytes }
    case .waypoints(let waypoints): return publish(words.waypoints(waypoints)).bytes
    case .status(let details): return publish(words.status(details)).bytes
    case .steps: return publish(words.steps(at: Clock.utc)).bytes
    }
  }

  private static let mostAnnounced = 100

  private func publish(
    _ message: OwnTracks.Message, isRetained: Bool = false
  ) -> (number: Int32?, bytes: Int) {
    let text = Array(message.json.text.utf8)
    let place = topic + message.subtopic
    return (
      connection?.publish(text, to: place, isRetained: isRetained),
      text.count + place.utf8.count + Self.heading
    )
  }

  private func handle(_ event: MQTTConnection.Event) {
    switch event {
    case .opened:
      if subscribes { connection?.subscribe(to: topic + "/cmd") }
      body(.opened)
    case .confirmed(let number):
      if announcing.remove(number) != nil, announcing.isEmpty { body(.announced) }
      body(.confirmed(Int(number)))
    case .rejected(let number, let reason, let mayPass):
      body(
        mayPass
          ? .failed(Int(number), reason: "the broker answers \(reason)", wait: nil)
          : .refused(Int(number), ServerRefusal(broker: reason)))
    case .received(_, let bytes):
      guard subscribes else { return }
      body(
        .commanded(
          Result { () throws(Unusable) in try OwnTracks.Command(bytes) }))
    case .closed(let reason, let cause): body(.closed(reason: reason, Self.end(cause)))
    }
  }

  private static func end(_ cause: MQTTConnection.Cause) -> BrokerMemory.End {
    switch cause {
    case .unreachable: .unreachable
    case .otherVersion: .otherVersion
    case .unanswered: .unanswered
    case .refused: .refused
    case .tooLong: .tooLong
    case .lost: .lost
    }
  }
}
