import LocationModel
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
  }

  @Test("each answer of a web server that keeps everything waiting says what to look at")
  func answers() {
    for (status, words) in [
      (301, "has it moved?"), (400, "know this device?"), (401, "Password= or Token="),
      (402, "paid for"), (403, "may this device"), (404, "is the path right?"),
      (407, "Password="), (413, "Batch="), (415, "scheme"), (429, "Rate="), (500, "its log"),
      (503, "its log"),
    ] {
      #expect(Verdict.words(status).hasPrefix("the server answers \(status): "))
      #expect(Verdict.words(status).contains(words), "\(status)")
    }
    #expect(Verdict.words(418) == "the server answers 418")
  }

  @Test("each end of a connection to a broker has words that name it and say what to look at")
  func brokers() throws {
    func words(
      _ end: BrokerMemory.End, _ text: String, late: Bool = false,
      _ url: String = "mqtt://b/t", certificate: String? = nil
    ) throws -> (words: String, isVague: Bool) {
      var plan = UplinkPlan(name: "fleet", try UplinkAddress(url))
      plan.certificate = certificate
      return ConnectionFault.ofBroker(BrokerEnd(end, text, isLate: late), plan)
    }
    let secure = "mqtts://b/t"
    for (found, expected, isVague) in [
      (try words(.unanswered, "", late: true), "b:1883 does not answer the greeting: is it", false),
      (try words(.unanswered, "x"), "does it want TLS", true),
      (try words(.unanswered, "x", secure), "does it want Certificate= and Key=?", true),
      (try words(.unanswered, "x", secure, certificate: "/c"), "know this certificate?", true),
      (try words(.unreachable, "A TLS error occurred.", secure), "A TLS error", true),
      (try words(.unreachable, "Connection refused", secure), "nothing listens at b:8883", false),
      (
        try words(.refused, "Connection Refused: not authorised."),
        "does it want a user in URL= and Password=?", false
      ),
      (
        try words(.refused, "Bad username or password", "mqtt://ann@b/t"),
        "are the user in URL=, Password=", false
      ),
      (try words(.refused, "Client identifier not valid"), "is ClientID= one", false),
      (try words(.refused, "Server busy"), "(Server busy): its log says why", false),
      (try words(.otherVersion, "Unsupported"), "the other one is tried", false),
      (try words(.otherVersion, "No", "mqtt://b/t?version=5"), "is ?version= right?", false),
      (try words(.lost, "Session taken over"), "is ClientID= of one device only?", false),
      (try words(.lost, "The connection was lost."), "does it run, is the network up,", false),
      (try words(.lost, "Broken pipe"), "the same ClientID=, may this user write", false),
      (try words(.lost, "Server shutting down"), "has ended the connection (Server", false),
    ] {
      #expect(found.words.contains(expected), "\(found)")
      #expect(found.isVague == isVague, "\(found)")
    }
  }

  @Test(
    "the cause of a fault is looked for once an hour, after an outage not at the first failure"
  )
  func search() throws {
    var world = try UplinkWorld("mqtts://b/t")
    world.handle(.begin)
    // The next connection is being made, and fails.
    func fail(_ reason: String) {
      world.handle(.closed(reason: reason, .unreachable, isVague: true))
      while world.way == nil {
        if let wake = world.wake { world.pass(wake - world.now.boottime) }
        world.handle(.timer)
      }
    }
    var trouble: String? { world.machine.status(at: world.now)["trouble"]?.string }
    func find(_ cause: String?, of fault: String = "vague") {
      world.handle(.foundCause(cause, of: fault, at: world.plan.address))
    }
    fail("vague")
    #expect(world.searches == ["vague at b"] && trouble == "vague")
    find("the authority")
    #expect(trouble == "the authority")
    fail("vague")
    #expect(world.searches.count == 1 && trouble == "the authority")
    fail("another")
    #expect(world.searches == ["vague at b", "another at b"] && trouble == "another")
    // Too late: it is another fault now.
    find("the authority")
    #expect(trouble == "another")
    find("the date", of: "another")
    #expect(trouble == "the date")
    // A finding that is an hour old is none, and one that is looked for in vain is over.
    world.pass(.seconds(3600))
    fail("another")
    #expect(world.searches.count == 3 && trouble == "another")
    find("the date", of: "another")
    find(nil, of: "another")
    #expect(trouble == "another")
    // Connected again, and lost with all others of a fleet.
    world.open()
    #expect(trouble == nil)
    world.searches = []
    for count in [0, 0, 1, 1] {
      fail("vague")
      #expect(world.searches.count == count)
    }
    // A fault with words of its own, and a connection without TLS, need no search.
    world.handle(.closed(reason: "nothing listens", .unreachable))
    #expect(world.searches.count == 1)
  }

  @Test("the cause of one server's fault is looked for apart, and told of no other")
  func servers() throws {
    let other = try UplinkAddress("mqtts://c/t")
    var world = try UplinkWorld("mqtts://b/t") { $0.others = [other] }
    world.handle(.begin)
    func fail() {
      world.handle(.closed(reason: "vague", .unreachable, isVague: true))
      while world.way == nil {
        if let wake = world.wake { world.pass(wake - world.now.boottime) }
        world.handle(.timer)
      }
    }
    var trouble: String? { world.machine.status(at: world.now)["trouble"]?.string }
    fail()
    fail()
    #expect(world.searches == ["vague at b", "vague at c"])
    // The second has failed meanwhile.
    world.handle(.foundCause("b's authority", of: "vague", at: world.plan.address))
    #expect(trouble == "vague")
    world.handle(.foundCause("c's date", of: "vague", at: other))
    #expect(trouble == "c's date")
    fail()
    #expect(trouble == "b's authority")
    fail()
    #expect(trouble == "c's date" && world.searches.count == 2)
  }
}
