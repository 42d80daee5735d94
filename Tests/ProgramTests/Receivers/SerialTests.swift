import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Receivers on serial lines", .serialized) struct SerialTests {
  private func source(_ client: SocketClient) throws -> JSON {
    try #require(try client.ask("status")["result"]?["sources"]?.array?[0])
  }

  @Test(
    "unplugged ten times, it is told lost each time, and its fixes are back within two seconds",
    arguments: ["nmea://{folder}/ttyUSB7", "nmea:auto?match={folder}/ttyUSB*"])
  func unplugged(url: String) throws {
    let daemon = try RunningDaemon([url])
    let link = daemon.folder.appending(path: "ttyUSB7").path
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    #expect(try client.event("didFail")["code"] == .integer(0))
    var last = Date.distantPast
    func plugAndUnplug() throws -> Double {
      var plugged: (speaker: Speaker, path: String)? = try makePty()
      symlink(try #require(plugged?.path), link)
      let effort = try Effort(of: daemon.program)
      let location = try #require(plugged?.speaker).speak(to: client)
      let after = try effort.seconds
      // Nothing of before the unplugging is told as if it were new; its times have two decimals.
      let time = Date(timeIntervalSince1970: Double(location.timestamp.microseconds) / 1e6)
      #expect(time > last - 0.01)
      #expect(location.source == "nmea:\(link)")
      last = Date()
      unlink(link)
      plugged = nil
      #expect(try client.event("didFail", within: patience)["code"] == .integer(0))
      return after
    }
    let waits = try (0..<10).map { _ in try plugAndUnplug() }
    #expect(waits.allSatisfy { $0 < 2.5 } && waits.sorted()[6] < 2, "\(waits)")
  }

  @Test("a link of another name is found as often as it comes, with the folders that lead to it")
  func byID() throws {
    let daemon = try RunningDaemon(["nmea://{folder}/serial/by-id/usb-u-blox"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try client.event("didFail")
    let device = daemon.folder.appending(path: "ttyUSB3").path
    let serial = daemon.folder.appending(path: "serial")
    let link = serial.appending(path: "by-id/usb-u-blox").path
    // First it goes from under the link, then the link from over it, and then all of it, as udev does.
    for gone in [device, link, serial.path] {
      let (speaker, path) = try makePty()
      try FileManager.default.createDirectory(
        at: serial.appending(path: "by-id"), withIntermediateDirectories: true)
      symlink(path, device)
      symlink("../../ttyUSB3", link)
      _ = try speaker.speak(to: client)
      try FileManager.default.removeItem(atPath: gone)
      #expect(try client.event("didFail", within: patience)["code"] == .integer(0))
      unlink(device)
      unlink(link)
    }
  }

  @Test("the line is given back as it was, closed, and free for others once nobody needs it")
  func givenBack() throws {
    let (speaker, path) = try makePty()
    var before = termios()
    tcgetattr(speaker.descriptor, &before)
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "[Sources]\nSource=nmea://\(path)\nLingerSec=1\n"])
    let idle = try daemon.program.descriptorsAtRest()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try speaker.speak(to: client)
    let second = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(flock(second, LOCK_EX | LOCK_NB) == -1)
    _ = try client.ask("stopUpdatingLocation")
    #expect(try eventually(within: patience) { try daemon.program.descriptors == idle + 1 })
    #expect(flock(second, LOCK_EX | LOCK_NB) == 0)
    close(second)
    var after = termios()
    tcgetattr(speaker.descriptor, &after)
    #expect(after.c_lflag == before.c_lflag)
    #expect(after.c_iflag == before.c_iflag)
    #expect(cfgetispeed(&after) == cfgetispeed(&before))
    // And nothing moves any more.
    #expect(try daemon.program.sleeps())
  }

  @Test(
    "a line that another has locked is left alone, with a word on why, and taken when it is free")
  func busy() throws {
    let (speaker, path) = try makePty()
    let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try client.event("didFail")
    let source = try source(client)
    #expect(source["reason"]?.string?.contains("another program has it") == true)
    #expect(source["nextRetry"]?.double ?? 9 <= 2)
    close(other)
    _ = try speaker.speak(to: client)
  }

  @Test("who may have a line that is taken is said, though one may not look into that program")
  func suspects() throws {
    let (speaker, path) = try makePty()
    let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let daemon = try RunningDaemon(["nmea:auto?match=\(path)"])
    let name = daemon.folder.appending(path: "ModemManager").path
    try Program.copy("/bin/sleep", to: name)
    let suspect = try Program([name, "600"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try client.event("didFail")
    let remark = try source(client)["remark"]?.string ?? ""
    #expect(remark.hasPrefix("\(path): another program has it, perhaps "), "\(remark)")
    #expect(remark.contains("ModemManager"), "\(remark)")
    close(other)
    withExtendedLifetime((speaker, suspect)) {}
  }

  @Test("nothing is written to a device")
  func nothingWritten() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea:auto?match=\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    #expect(
      try eventually(within: patience) { try self.source(client)["device"]?.string == path })
    _ = try speaker.speak(to: client)
    _ = fcntl(speaker.descriptor, F_SETFL, O_NONBLOCK)
    var byte: UInt8 = 0
    #expect(read(speaker.descriptor, &byte, 1) == -1)
  }

  @Test("why there is no fix yet is said in words: nothing comes, no NMEA, no view of the sky")
  func status() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)?baud=9600"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let silent = try eventually(within: patience) {
      try self.source(client)["remark"]?.string == "nothing comes from it"
    }
    #expect(silent)
    let noise = try eventually(within: patience) {
      speaker.say("garbage\r\n")
      return try self.source(client)["remark"]?.string == "what comes is no NMEA"
    }
    #expect(noise)
    let noFix = try eventually(within: patience) {
      for _ in 0..<3 {
        speaker.say(Recording.sentence("GPRMC,120000.00,V,,,,,,,201126,,,N"))
        speaker.say(Recording.sentence("GPGSV,1,1,03,01,40,083,46,02,17,308,41,03,07,344,39"))
      }
      return try self.source(client)["remark"]?.string
        == "the receiver has no fix, and sees 3 satellites"
    }
    #expect(noFix)
    let flows = try eventually(within: patience) {
      _ = try speaker.speak(to: client)
      let source = try self.source(client)
      return source["remark"] == nil && source["satellitesUsed"]?.integer == 9
    }
    #expect(flows)
    let source = try self.source(client)
    #expect(source["state"] == "running")
    #expect(source["baud"]?.integer == 9600)
    #expect(source["protocol"] == "NMEA 0183")
    let silentAgain = try eventually(within: patience) {
      try self.source(client)["remark"]?.string == "nothing comes from it any more"
    }
    #expect(silentAgain)
  }
}

extension Recording {
  /// One epoch of a receiver that stands still, at a time that is.
  static func epoch(now: Date) -> String {
    let seconds = now.timeIntervalSince1970
    let hundredths = Int((seconds * 100).rounded(.down)) % 8_640_000
    let time = String(
      format: "%02d%02d%02d.%02d", hundredths / 360_000, hundredths / 6000 % 60,
      hundredths / 100 % 60, hundredths % 100)
    var day = tm()
    var clock = time_t(seconds)
    gmtime_r(&clock, &day)
    let date = String(format: "%02d%02d%02d", day.tm_mday, day.tm_mon + 1, day.tm_year % 100)
    let place = "4500.000000,N,00700.000000,E"
    return sentence("GPRMC,\(time),A,\(place),0.04,0.0,\(date),,,A")
      + sentence("GPGGA,\(time),\(place),1,09,0.9,240.0,M,48.0,M,,")
  }
}
