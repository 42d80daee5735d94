import Console
import LocationModel
import MQTT
import Platform
import TrackCore

/// OwnTracks' messages to a broker, or our own batches.
final class MQTTTransport: Transport {
  private let plan: UplinkPlan
  private let topic: String
  private let device: String
  private let track: String
  private let words: OwnTracks
  private let subscribes: Bool
  private let isVersion5: Bool
  private let body: (UplinkMachine.Input) -> Void
  private var connection: MQTTConnection?
  /// Waypoints that the broker has not confirmed, by its numbers.
  private var announcing: Set<Int32> = []
  private var clearing: Int32?
  /// Crossings have a topic of their own: those that want places need not have subscribed to it.
  private var crossings: Set<Int32> = []

  init(
    _ plan: UplinkPlan, _ way: BrokerMemory.Connection, track: String, on loop: EventLoop,
    _ body: @escaping (UplinkMachine.Input) -> Void
  ) throws(SystemError) {
    self.plan = plan
    self.track = track
    self.body = body
    device = Self.device(of: plan)
    topic = plan.topic(device)
    words = OwnTracks(device: device)
    subscribes = way.subscribes
    isVersion5 = way.version == .v5
    var broker = try Self.broker(plan, topic, track: track, way.version)
    // A session that is kept would bring what is not subscribed to.
    broker.keepsSession = way.subscribes
    connection = try MQTTConnection(to: broker, on: loop) { [unowned self] in handle($0) }
  }

  static func device(of plan: UplinkPlan) -> String {
    let last = plan.address.path.split(separator: "/").last.map(String.init)
    return plan.device ?? last ?? Process.hostName
  }

  static func broker(
    _ plan: UplinkPlan, _ topic: String, track: String, _ version: MQTTVersion
  ) throws(SystemError) -> MQTTConnection.Broker {
    var broker = MQTTConnection.Broker(
      host: plan.address.host, port: plan.address.port,
      clientID: plan.client(topic: topic, track: track))
    broker.isSecure = plan.address.isSecure
    broker.isVersion5 = version == .v5
    broker.user = plan.address.user
    broker.password = try plan.secret(plan.password)
    broker.authority = plan.authority
    broker.certificate = plan.certificate
    broker.key = plan.key
    broker.session = plan.session
    broker.longestMessage = OwnTracks.Command.longest
    if plan.hasWill {
      let will =
        plan.address.words == .ownTracksMQTT
        ? OwnTracks.will(Clock.utc)
        : Batch.will(device: device(of: plan), track: track, at: Clock.utc)
      broker.will = (topic, will.text)
    }
    return broker
  }

  /// The broker's number of the message is the receipt.
  func send(_ message: UplinkQueue.Message) -> Dispatch {
    guard let entry = message.entries.first, let connection else { return .notNow }
    let words =
      plan.address.words == .batchesMQTT
      ? own(Batch(message.entries, device: device, track: track).json) : words.message(entry)
    let (text, place) = (Array(words.json.text.utf8), topic + words.subtopic)
    do throws(MQTTConnection.Unpublished) {
      let number = try connection.publish(
        text, to: place, isRetained: plan.retains(message.entries))
      if !words.subtopic.isEmpty { crossings.insert(number) }
      return .sent(receipt: Int(number), bytes: Self.cost(text, place))
    } catch {
      return error == .tooLong ? .tooLong : .notNow
    }
  }

  private func own(_ json: JSON) -> OwnTracks.Message { .init(json: json) }

  /// The bytes around a message: MQTT's own, its acknowledgement, and the headers of TLS, TCP and IP.
  private static let heading = 140

  private static func cost(_ text: [UInt8], _ place: String) -> Int {
    text.count + place.utf8.count + heading
  }

  /// A broker keeps it for those that are away until the next is due. By 3.1.1 it keeps each of them: the newest
  /// takes the place of the retained one.
  func sendHeartbeat(_ entry: TrackEntry) -> (receipt: Int?, bytes: Int) {
    let words =
      plan.address.words == .batchesMQTT
      ? own(Batch.heartbeat(entry, device: device, track: track))
      : words.heartbeat(entry, at: Clock.utc)
    let sent = publish(
      words, isRetained: plan.isRetained && !isVersion5, expiresAfter: plan.heartbeat)
    return (sent.number.map(Int.init), sent.bytes)
  }

  /// An empty message takes the place of the retained one.
  func clearPlace() -> Int {
    clearing = try? connection?.publish([], to: topic, isRetained: true)
    return Self.cost([], topic)
  }

  func say(_ saying: Saying) -> Int {
    switch saying {
    case .announcement(let waypoints):
      guard plan.address.words == .ownTracksMQTT else { return 0 }
      let sent = waypoints.prefix(Self.mostAnnounced).compactMap(words.waypoint).map { publish($0) }
      announcing.formUnion(sent.compactMap(\.number))
      return sent.reduce(0) { $0 + $1.bytes }
    case .discovery(let regions, let gone):
      let finder = HomeAssistant(
        topic: topic, device: device, words: plan.address.words, version: version)
      let sent = finder.messages(regions: regions, gone: gone).map { place, json in
        publish(Array((json?.text ?? "").utf8), to: place, isRetained: true)
      }
      announcing.formUnion(sent.compactMap(\.number))
      return sent.reduce(0) { $0 + $1.bytes }
    case .waypoints(let waypoints): return publish(words.waypoints(waypoints)).bytes
    case .status(let details): return publish(words.status(details)).bytes
    case .steps: return publish(words.steps(at: Clock.utc)).bytes
    }
  }

  private static let mostAnnounced = 100

  private func publish(
    _ message: OwnTracks.Message, isRetained: Bool = false, expiresAfter expiry: Duration? = nil
  ) -> (number: Int32?, bytes: Int) {
    publish(
      Array(message.json.text.utf8), to: topic + message.subtopic, isRetained: isRetained,
      expiresAfter: expiry)
  }

  private func publish(
    _ text: [UInt8], to place: String, isRetained: Bool, expiresAfter expiry: Duration? = nil
  ) -> (number: Int32?, bytes: Int) {
    let number = try? connection?.publish(
      text, to: place, isRetained: isRetained, expiresAfter: expiry)
    return (number, Self.cost(text, place))
  }

  func settle(until deadline: Boottime) { connection?.settle(until: deadline) }

  private func handle(_ event: MQTTConnection.Event) {
    switch event {
    case .opened:
      if subscribes { connection?.subscribe(to: topic + "/cmd") }
      body(.opened)
    case .confirmed(let number, let isHeard):
      if announcing.remove(number) != nil, announcing.isEmpty { body(.announced) }
      if number == clearing { body(.cleared) }
      let isCrossing = crossings.remove(number) != nil
      body(.confirmed(Int(number), isHeard: isCrossing ? nil : isHeard))
    case .rejected(let number, let reason, let mayPass):
      crossings.remove(number)
      if number == clearing {
        let answer = ServerRefusal(broker: reason)
        body(.uncleared(reason: mayPass ? answer.reason : answer.words))
      }
      body(
        mayPass
          ? .failed(Int(number), reason: "the broker answers \(reason)", wait: nil)
          : .refused(Int(number), ServerRefusal(broker: reason)))
    case .received(_, let bytes):
      guard subscribes else { return }
      body(
        .commanded(
          Result { () throws(Unusable) in try OwnTracks.Command(bytes) }))
    case .closed(let reason, let cause):
      let end = Self.end(cause, reason)
      let (words, isVague) = ConnectionFault.ofBroker(end, plan)
      body(.closed(reason: words, end.end, isVague: isVague))
    }
  }

  static func end(
    _ cause: MQTTConnection.Cause, _ reason: String
  ) -> BrokerEnd {
    let end: BrokerMemory.End =
      switch cause {
      case .unreachable: .unreachable
      case .otherVersion: .otherVersion
      case .unanswered, .silent: .unanswered
      case .refused: .refused
      case .tooLong: .tooLong
      case .lost: .lost
      }
    return BrokerEnd(end, reason, isLate: cause == .silent)
  }
}
