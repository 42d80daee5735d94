import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("Only what is needed, of real receivers") struct NeedProgramTests {
  @Test("who is content with little has the line closed between fixes, and the status says so")
  func rests() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let idle = try daemon.program.descriptorsAtRest()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation", ["desiredAccuracy": .integer(3000)])
    var location: Location?
    var epochs = Recording.epochs(Int(patience) * 2).makeIterator()
    let isHeard = try eventually(within: patience) {
      if let epoch = epochs.next() { speaker.say(epoch) }
      location = try client.location(within: 0.5)
      return location != nil
    }
    #expect(isHeard)
    // But for the client's own.
    #expect(try eventually(within: patience) { try daemon.program.descriptors == idle + 1 })
    let status = try client.ask("status")["result"]
    #expect(status?["sources"]?.array?.first?["state"] == "resting")
    #expect(status?["need"]?["accuracy"]?.double == 3000)
    #expect(status?["need"]?["resting"]?.double.map { $0 > 100 } == true)
    let (text, _) = try daemon.control("status").text()
    #expect(text.contains("receivers rest"))

    // Somebody who needs more is not kept waiting.
    let other = try daemon.connect()
    _ = try other.ask("startUpdatingLocation")
    #expect(try eventually(within: patience) { try daemon.program.descriptors > idle + 2 })
  }

  @Test("a receiver that says which way it points is heard, and a course is no heading")
  func headings() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingHeading")
    var epochs = Recording.epochs(Int(patience) * 10).makeIterator()
    let isPlaced = try eventually(within: patience) {
      if let epoch = epochs.next() { speaker.say(epoch) }
      #expect(try client.heading(within: 0.1) == nil)
      return try client.ask("status")["result"]?["sources"]?.array?.first?["lastFixAge"] != nil
    }
    #expect(isPlaced)
    var heading: Heading?
    let isHeard = try eventually(within: patience) {
      if let epoch = epochs.next() { speaker.say(Recording.sentence("GPHDT,123.4,T") + epoch) }
      heading = try client.heading(within: 0.5)
      return heading != nil
    }
    #expect(isHeard)
    #expect(heading?.trueHeading == 123.4)
    // The place is known by now.
    #expect(heading?.magneticHeading.map { (118.0...121).contains($0) } == true)
  }

  @Test("watch shows headings where that is asked for")
  func watch() throws {
    let turning = Recording.epochs(40).enumerated().map {
      Recording.sentence("GPHDT,\($0.offset * 9).0,T") + $0.element
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/turn.nmea?rate=10&loop=1"], files: ["turn.nmea": turning.joined()])
    let watch = try daemon.control("watch", "--heading", "--json")
    var line = ""
    // The place may be known only by the next.
    for _ in 0..<200 where !line.contains("\"magneticHeading\":") { line = try watch.line() }
    #expect(line.contains("didUpdateHeading"))
    #expect(line.contains("\"trueHeading\":"))
    #expect(line.contains("\"magneticHeading\":"))
    let plain = try daemon.control("watch", "--heading")
    for _ in 0..<200 where !line.contains("° true") { line = try plain.line() }
    #expect(line.contains("° true"))
  }
}
