import LocationModel

/// The cause of a connection that fails, in words that say what to look at; of the libraries' own.
package enum ConnectionFault {
  /// `text`: as libcurl, OpenSSL or libmosquitto has it. `place`: the host and the port.
  package static func words(_ text: String, host: String, port: Int) -> String {
    let lower = text.lowercased()
    guard let fault = faults.first(where: { $0.signs.contains { lower.hasText($0) } }) else {
      return text
    }
    return fault.words.replacingText("HOST", by: host).replacingText("PORT", by: "\(port)")
  }

  /// A try of TLS alone: a broker without it ends the connection at its first word.
  package static func ofTLS(_ text: String, host: String, port: Int) -> String {
    let ends = ["unexpected eof", "ssl_error_syscall", "reset by peer"]
    guard !ends.contains(where: text.lowercased().hasText) else {
      return "\(host):\(port) speaks no TLS, or ends the connection there: is it the port for it?"
    }
    return words(text, host: host, port: port)
  }

  /// A server that ends a connection before it has said a word.
  package static func silent(host: String, port: Int, isSecure: Bool, hasCertificate: Bool)
    -> String
  {
    let place = "\(host):\(port)"
    if !isSecure {
      return "\(place) ends the connection without an answer: does it want TLS, another port?"
    }
    return hasCertificate
      ? "\(place) ends the connection without an answer: does it know this certificate?"
      : "\(place) ends the connection without an answer: does it want Certificate= and Key=?"
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
