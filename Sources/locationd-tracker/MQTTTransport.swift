import LocationModel
import MQTT
import Platform
import TrackCore

/// OwnTracks' messages to a broker.
final class MQTTTransport: Transport {
  private let topic: String
  private let words: OwnTracks
  private let takesCommands: Bool
  private let body: (TransportEvent) -> Void
  private var connection: MQTTConnection?
  /// Our numbers of what is under way, by the broker's.
  private var numbers: [Int32: Int] = [:]

  init(
    _ plan: UplinkPlan, on loop: EventLoop, _ body: @escaping (TransportEvent) -> Void
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
    broker.user = plan.address.user
    broker.password = try plan.secret()
    broker.authority = plan.authority
    broker.certificate = plan.certificate
    broker.key = plan.key
    broker.keepsSession = plan.takesCommands
    takesCommands = plan.takesCommands
    broker.will = (topic, OwnTracks.will(Clock.utc).text)
    connection = try MQTTConnection(to: broker, on: loop) { [unowned self] in handle($0) }
  }

  func send(_ message: UplinkQueue.Message) -> Bool {
    for entry in message.entries {
      let words = words.message(entry)
      let number = connection?.publish(
        Array(words.json.text.utf8), to: topic + words.subtopic, isRetained: words.subtopic.isEmpty)
      guard let number else { return false }
      numbers[number] = message.number
    }
    return true
  }

  func beat(_ entry: TrackEntry) {
    let text = words.heartbeat(entry, at: Clock.utc).text
    _ = connection?.publish(Array(text.utf8), to: topic, isRetained: true)
  }

  private func handle(_ event: MQTTConnection.Event) {
    switch event {
    case .opened:
      if takesCommands { connection?.subscribe(to: topic + "/cmd") }
      body(.opened)
    case .confirmed(let number):
      if let message = numbers.removeValue(forKey: number) { body(.confirmed(message)) }
    case .received(_, let bytes):
      guard takesCommands, let command = OwnTracks.Command(bytes) else { return }
      body(.commanded(command))
    case .closed(let reason, _): body(.closed(reason: reason))
    }
  }
}
