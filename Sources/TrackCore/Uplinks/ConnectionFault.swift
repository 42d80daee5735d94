import LocationModel

/// The cause of a connection that fails, in words that say what to look at; of the libraries' own.
package enum ConnectionFault {
  /// `text`: as libcurl, OpenSSL or libmosquitto has it.
  package static func words(_ text: String, host: String, port: Int) -> String {
    guard let fault = fault(text) else { return text }
    return fault.words.replacingText("HOST", by: host).replacingText("PORT", by: "\(port)")
  }

  private static func fault(_ text: String) -> (signs: [String], words: String)? {
    let lower = text.lowercased()
    return faults.first { $0.signs.contains { lower.hasText($0) } }
  }

  /// A try of TLS alone: a broker without it ends the connection at its first word.
  package static func ofTLS(_ text: String, host: String, port: Int) -> String {
    let ends = ["unexpected eof", "ssl_error_syscall", "reset by peer"]
    guard !ends.contains(where: text.lowercased().hasText) else {
      return "\(host):\(port) speaks no TLS, or ends the connection there: is it the port for it?"
    }
    return words(text, host: host, port: port)
  }

  /// A connection to a broker that has ended. `isVague`: nobody but a try of TLS alone can say why.
  package static func ofBroker(_ end: BrokerEnd, _ plan: UplinkPlan)
    -> (words: String, isVague: Bool)
  {
    let (address, text) = (plan.address, end.text)
    let place = address.server
    switch end.end {
    case .tooLong: return (text, false)
    case .unreachable:
      return (words(text, host: address.host, port: address.port), fault(text) == nil)
    case .unanswered where end.isLate:
      return ("\(place) does not answer the greeting: is it a broker of MQTT, does it run?", false)
    case .unanswered:
      return ("\(place) ends the connection without an answer: \(silence(plan))", true)
    case .otherVersion:
      let advice = address.version == nil ? "the other one is tried" : "is ?version= right?"
      return ("\(place) does not speak this version of MQTT (\(text)): \(advice)", false)
    case .refused:
      return ("\(place) does not let this client in (\(text)): \(refusal(text, plan))", false)
    case .lost:
      guard let advice = loss(text) else {
        return ("\(place) has ended the connection (\(text))", false)
      }
      return ("the connection to \(place) is lost: \(advice)", false)
    }
  }

  /// A server that ends a connection before it has said a word.
  private static func silence(_ plan: UplinkPlan) -> String {
    guard plan.address.isSecure else { return "does it want TLS, another port?" }
    return plan.certificate == nil
      ? "does it want Certificate= and Key=?" : "does it know this certificate?"
  }

  private static func refusal(_ text: String, _ plan: UplinkPlan) -> String {
    let lower = text.lowercased()
    if ["not authori", "bad user"].contains(where: lower.hasText) {
      return plan.address.user == nil && plan.certificate == nil
        ? "does it want a user in URL= and Password=?"
        : "are the user in URL=, Password= and Certificate= right?"
    }
    return lower.hasText("identifier") ? "is ClientID= one that it takes?" : "its log says why"
  }

  /// A broker's reason may be lost with the connection; by 3.1.1 it has none.
  private static func loss(_ text: String) -> String? {
    let lower = text.lowercased()
    if lower.hasText("taken over") {
      return "another client has come under this one's name: is ClientID= of one device only?"
    }
    let signs = ["connection was lost", "broken pipe", "connection reset"]
    guard signs.contains(where: lower.hasText) else { return nil }
    return "does it run, is the network up, has another device the same ClientID=,"
      + " may this user write to the topic?"
  }

  private static let faults: [(signs: [String], words: String)] = [
    (
      ["has expired", "not yet valid"],
      "the certificate of HOST is not valid at this date: are its dates and this clock right?"
    ),
    (
      ["no alternative certificate subject name", "host name verification", "does not match"],
      "the certificate at HOST:PORT is of another name: is the host in URL= the one that it names?"
    ),
    (
      ["unable to get local issuer", "self-signed", "self signed", "unable to get issuer"],
      "the certificate of HOST is signed by nobody who is trusted: does CA= name its authority?"
    ),
    (
      ["wrong version number", "record layer", "packet length too long", "unknown protocol"],
      "HOST:PORT speaks no TLS: is it the port for it?"
    ),
    (
      ["certificate required", "alert bad certificate", "alert unknown ca", "handshake failure"],
      "HOST:PORT does not take this client's certificate: are Certificate= and Key= right?"
    ),
    (
      ["could not resolve", "couldn't resolve", "lookup error", "name or service not known"],
      "nobody knows the name HOST: is there a network, is the name right?"
    ),
    (
      ["connection refused", "failed to connect", "couldn't connect"],
      "nothing listens at HOST:PORT: does the server run, is the port right?"
    ),
    (
      ["timed out", "timeout"], "HOST:PORT does not answer: is it there, does a firewall keep it?"
    ),
    (
      ["empty reply", "returned nothing", "http/0.9"],
      "HOST:PORT answers nothing of the web: is the scheme right, does it want TLS?"
    ),
  ]
}

/// The end of a connection to a broker, or of a try.
package struct BrokerEnd: Equatable, Sendable {
  package var end: BrokerMemory.End
  /// The library's words, or the broker's.
  package var text: String
  /// The broker has let the time for an answer pass.
  package var isLate: Bool

  package init(_ end: BrokerMemory.End, _ text: String, isLate: Bool = false) {
    (self.end, self.text, self.isLate) = (end, text, isLate)
  }
}
