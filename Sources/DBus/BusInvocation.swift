/// A call that somebody makes. It is answered once; let go of without an answer, it is refused, so
/// that no caller hangs.
package final class BusInvocation {
  /// The caller's unique name.
  package let sender: String
  package let path: String
  package let interface: String?
  package let member: String
  /// Until it has to wait for its answer.
  package private(set) var arguments: [BusValue]
  private let serial: UInt32
  /// On which bus it came: its caller is unknown on another.
  private weak var link: BusLink?
  private weak var connection: BusConnection?
  private var isAnswered: Bool
  private var isWaiting = false
  /// The type of the answer.
  var outputType = ""

  init?(_ message: BusMessage, on connection: BusConnection) throws(BusError) {
    guard let sender = message.sender, let path = message.path, let member = message.member else {
      return nil
    }
    guard connection.unanswered[sender] < connection.limits.unanswered,
      connection.unanswered.ofUser(of: sender) < connection.limits.unansweredPerUser
    else { throw .limitsExceeded("too many calls of yours wait for an answer") }
    self.sender = sender
    self.path = path
    self.member = member
    interface = message.interface
    serial = message.serial
    isAnswered = !message.wantsReply
    link = connection.link
    self.connection = connection
    arguments = try message.arguments()
  }

  deinit {
    refuse(.failed("no answer"))
    if isWaiting { connection?.unanswered.end(sender) }
  }

  /// The answer comes later: it counts among those of its sender until then.
  func wait() {
    isWaiting = true
    arguments = []
    connection?.unanswered.begin(sender)
  }

  package func answer(_ values: [BusValue]) {
    answer { (body) throws(BusError) in
      for value in values { try body.append(value) }
    }
  }

  /// With what the body writes.
  func answer(_ body: (inout BusWriter) throws(BusError) -> Void) {
    guard mayAnswer() else { return }
    do throws(BusError) {
      let isProperties = interface == BusStandard.properties
      try connection?.answer(serial, of: sender, outputType, isProperties: isProperties, body)
    } catch {
      sendRefusal(error)
    }
  }

  package func refuse(_ error: BusError) {
    if mayAnswer() { sendRefusal(error) }
  }

  private func mayAnswer() -> Bool {
    defer { isAnswered = true }
    return !isAnswered && link != nil && link === connection?.link
  }

  private func sendRefusal(_ error: BusError) {
    connection?.refuse(serial, of: sender, because: error)
  }
}
