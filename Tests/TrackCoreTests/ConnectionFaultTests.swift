import Testing

@testable import TrackCore

@Suite("Words for connections that fail") struct ConnectionFaultTests {
  @Test("each cause of the libraries has words that name what to look at")
  func causes() {
    for (text, words) in [
      ("SSL certificate problem: unable to get local issuer certificate", "CA="),
      ("SSL certificate problem: self-signed certificate in certificate chain", "CA="),
      ("SSL: no alternative certificate subject name matches target host name 'b'", "another name"),
      ("SSL certificate problem: certificate has expired", "not valid at this date"),
      ("error:0A00010B:SSL routines::wrong version number", "speaks no TLS"),
      ("error:0A00045C:SSL routines::tlsv13 alert certificate required", "Certificate= and Key="),
      ("Could not resolve host: b", "nobody knows the name b"), ("Lookup error.", "name b"),
      ("Failed to connect to b port 1883 after 0 ms", "nothing listens at b:1883"),
      ("Connection timed out after 15001 milliseconds", "b:1883 does not answer"),
      ("Empty reply from server", "does it want TLS?"),
    ] {
      let found = ConnectionFault.words(text, host: "b", port: 1883)
      #expect(found.contains(words), "\(text): \(found)")
    }
    for text in [
      "error:0A000126:SSL routines::unexpected eof while reading",
      "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to b:1883",
      "Recv failure: Connection reset by peer",
    ] {
      #expect(ConnectionFault.ofTLS(text, host: "b", port: 1).contains("b:1 speaks no TLS"))
    }
    #expect(ConnectionFault.ofTLS("Lookup error.", host: "b", port: 1).contains("the name b"))
    #expect(ConnectionFault.words("something else", host: "b", port: 1) == "something else")
    let silent = ConnectionFault.silent(host: "b", port: 1, isSecure: true, hasCertificate: false)
    #expect(silent.contains("does it want Certificate="))
  }
}
