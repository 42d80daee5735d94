import Testing

@testable import locationctl

@Suite("Places over HTTP, as locationctl says") struct ServeReportTests {
  @Test(
    "it says what to type, and fits a terminal",
    arguments: [nil, [], ["127.0.0.1:2322", "[::1]:2322"]])
  func lines(addresses: [String]?) {
    let lines = ServeReport.lines(addresses)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    let isOn = addresses?.isEmpty == false
    #expect(lines.contains { $0.contains("enable --now") } == !isOn)
    #expect(lines.contains { $0.contains("disable --now") } == isOn)
    #expect(lines.contains { $0.contains("stop locationd-places.service") }, "it holds its sockets")
    #expect(lines.contains { $0.contains("http://127.0.0.1:2322/search?q=Berlin") })
  }

  @Test("a machine's program is given an address that it may ask by")
  func reached() {
    for all in ["0.0.0.0:80", "[::]:80"] {
      #expect(ServeReport.lines([all]).contains { $0.contains("http://127.0.0.1:80/search") })
    }
  }

  @Test("the state stands first")
  func state() {
    #expect(ServeReport.lines([])[0] == "Places over HTTP are off.")
    #expect(ServeReport.lines(["[::1]:9"])[0] == "Places over HTTP are on, at [::1]:9.")
    #expect(ServeReport.lines(nil)[0].contains("does not answer"))
  }
}
