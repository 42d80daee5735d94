import Console
import Glibc
import HTTPClient
import LocationModel
import MQTT
import Platform
import TrackCore

/// Performs an `UplinkTrial` beside the uplink, whose own connection stays as it is.
final class TrialRun {
  private var trial: UplinkTrial
  private let network: NetworkConnection?
  private let topic: String
  private let track: String
  private let loop: EventLoop
  private let resolver: Resolver
  private let body: (TrialReport) -> Void
  private var dialer: Dialer?
  private var client: HTTPClient?
  private var broker: MQTTConnection?
  private var spoken: MQTTVersion
  private var message: Int32?
  private var later: EventLoop.Later?
  private var deadline: EventLoop.Timer?

  /// The report has been told.
  private(set) var isOver = false

  private static let patience: Duration = .seconds(20)

  /// `body` is told once, not at once.
  init(
    _ plan: UplinkPlan, track: String, on network: NetworkConnection?, with resolver: Resolver,
    _ body: @escaping (TrialReport) -> Void
  ) throws(SystemError) {
    trial = UplinkTrial(plan)
    self.track = track
    self.network = network
    self.resolver = resolver
    self.body = body
    loop = resolver.loop
    topic = plan.topic(MQTTTransport.device(of: plan))
    spoken = plan.address.version ?? .v5
    later = try EventLoop.Later(on: loop) { [unowned self] in turn() }
    deadline = try EventLoop.Timer(slack: .milliseconds(200), on: loop) { [unowned self] in
      fail("no answer for \(Int(Self.patience.seconds)) seconds")
    }
    later?.set()
  }

  private func turn() {
    deadline?.set(Clock.boottime + Self.patience)
    switch trial.next {
    case nil: end()
    case .network:
      if let obstacle = trial.plan.obstacle(on: network) { fail(obstacle) } else { succeed() }
    case .files:
      if let fault = trial.plan.files.lazy.compactMap(\.fault).first {
        fail(fault)
      } else {
        succeed()
      }
    // A dialer does both.
    case .name, .connection: dial()
    case .encryption: encrypt()
    case .login: greet()
    case .answer: if broker == nil { ask() } else { publish() }
    }
  }

  private func succeed(_ words: String = "") {
    trial.succeed(words)
    later?.set()
  }

  private func fail(_ words: String) {
    let address = trial.plan.address
    trial.fail(ConnectionFault.words(words, host: address.host, port: address.port))
    later?.set()
  }

  private func end() {
    deadline?.set(nil)
    (dialer, client, broker) = (nil, nil, nil)
    isOver = true
    body(TrialReport(trial))
  }

  private func dial() {
    let address = trial.plan.address
    do throws(SystemError) {
      dialer = try Dialer(host: address.host, port: address.port, with: resolver) {
        [unowned self] _ in
        trial.succeed()
        succeed()
      } failed: { [unowned self] error in
        if error.number != ENOENT { trial.succeed() }
        fail(error.number == ENOENT ? "could not resolve" : error.reason)
      }
    } catch {
      fail("\(error)")
    }
  }

  private func encrypt() {
    var request = HTTPRequest(probing: trial.plan)
    request.timeout = Self.patience
    send(request) { [unowned self] _ in succeed("its certificate is trusted") }
  }

  /// A question without a place, with all that a server wants to know of the client.
  private func ask() {
    do throws(SystemError) {
      let transport = try HTTPTransport(trial.plan, track: track, on: loop) { _ in }
      send(transport.question) { [unowned self] status in
        trial.take(status: status)
        later?.set()
      }
    } catch {
      fail("\(error)")
    }
  }

  private func send(_ request: HTTPRequest?, _ done: @escaping (Int) -> Void) {
    guard let request, let client = try? HTTPClient(on: loop, agent: "locationd-tracker/\(version)")
    else { return fail("it cannot be asked") }
    self.client = client
    client.send(request) { [unowned self] outcome in
      switch outcome {
      case .answered(let status, _, _): done(status)
      case .failed(let reason): fail(reason)
      }
    }
  }

  /// Under a name of its own: two clients with the same would throw each other out.
  private func greet() {
    do throws(SystemError) {
      var broker = try MQTTTransport.broker(trial.plan, topic, track: track, spoken)
      broker.clientID += "-test"
      (broker.will, broker.keepsSession) = (nil, false)
      let name = broker.clientID
      self.broker = try MQTTConnection(to: broker, on: loop) { [unowned self] in handle($0, name) }
    } catch {
      fail("\(error)")
    }
  }

  private func handle(_ event: MQTTConnection.Event, _ name: String) {
    switch event {
    case .opened: succeed("by MQTT \(spoken.rawValue), as \(name)")
    case .confirmed(let number, _) where number == message:
      trial.takeConfirmation(spoken)
      later?.set()
    case .rejected(let number, let reason, _) where number == message:
      fail("the broker refuses a message: \(reason)")
    case .confirmed, .rejected, .received: break
    case .closed(_, let cause)
    where trial.next == .login && spoken == .v5 && trial.plan.address.version == nil
      && [.otherVersion, .unanswered, .silent].contains(cause):
      spoken = .v3
      later?.set()
    case .closed(let reason, let cause):
      let end = MQTTTransport.end(cause, reason)
      // The words name the place and the advice already.
      trial.fail(ConnectionFault.ofBroker(end, trial.plan).words)
      later?.set()
    }
  }

  /// The words of a status, or no entries: nobody takes either for a place.
  private func publish() {
    let status = OwnTracks(device: "").status(["version": .string(version), "test": .bool(true)])
    let isOwn = trial.plan.address.words == .batchesMQTT
    let own = Batch.test(device: MQTTTransport.device(of: trial.plan), track: track)
    let json = isOwn ? own : status.json
    message = try? broker?.publish(
      Array(json.text.utf8), to: topic + (isOwn ? "" : status.subtopic))
    if message == nil { fail("the message cannot be sent") }
  }
}
