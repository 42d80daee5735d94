import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("A web page beside the share", .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct ShareBrowserTests {
  @Test(
    "hears nothing at its ports, though its user's programs may know", arguments: [true, false])
  func stranger(isGpsd: Bool) throws {
    let port = try RealGpsd.freePort()
    let daemon = try RunningDaemon.replaying()
    let share = try RunningShare(daemon, "NMEA=tcp:\(port)")
    let client = try share.connect()
    client.send("?VERSION;")
    #expect(client.hears("\"VERSION\""))
    try share.grant()
    client.end()
    try MapOnScreen.drive("stranger", ["\(isGpsd ? share.port : port)"])
    guard isGpsd else { return }
    // NMEA's readers say nothing: there a browser's connection that waits for its turn is one for a while.
    let status = try daemon.connect().ask("status")["result"]
    #expect(status?["sources"]?.array?.first?["fixes"] == .integer(0), "the receiver was woken")
  }
}
