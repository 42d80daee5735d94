import Foundation
import LocationModel
import Testing

@testable import locationd

/// A tree like the kernel's of USB devices, where tests say what is plugged in.
private final class Sysfs {
  let path = FileManager.default.temporaryDirectory.path + "/sysfs-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A serial line of a USB device: an ACM one on its interface, or with a port of its own in between.
  func plug(_ name: String, _ facts: [String: String], on interface: [String: String] = [:]) throws
  {
    let device = "\(path)/devices/usb1/1-\(name)"
    let hasPort = name.hasPrefix("ttyUSB")
    let place = "\(device)/1-\(name):1.0" + (hasPort ? "/\(name)" : "")
    let tty = "\(path)/class/tty/\(name)"
    for folder in [place, tty] {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    for (key, text) in facts {
      try Data("\(text)\n".utf8).write(to: URL(filePath: "\(device)/\(key)"))
    }
    for (key, text) in interface {
      try Data("\(text)\n".utf8).write(to: URL(filePath: "\(device)/1-\(name):1.0/\(key)"))
    }
    try FileManager.default.createSymbolicLink(atPath: "\(tty)/device", withDestinationPath: place)
  }
}

@Suite("Receivers that say what they are") struct ReceiversTests {
  @Test("are those of GNSS drivers, by makers of receivers, and with a word for it in their name")
  func known() throws {
    let sysfs = Sysfs()
    try sysfs.plug("ttyACM0", ["idVendor": "1546", "idProduct": "01a8"])
    try sysfs.plug("ttyUSB0", ["idVendor": "091e", "idProduct": "0003"])
    try sysfs.plug(
      "ttyUSB1",
      ["idVendor": "067b", "idProduct": "2303", "product": "USB GPS receiver"])
    try sysfs.plug(
      "ttyACM1", ["idVendor": "2e8a", "idProduct": "000a"], on: ["interface": "GNSS NMEA"])
    for name in ["gnss0", "ttyACM0", "ttyUSB0", "ttyUSB1", "ttyACM1"] {
      #expect(Receivers.isKnown(name, in: sysfs.path), "\(name)")
    }
  }

  @Test("are no Arduino, no modem, no adapter that may lead anywhere, and no line of the board")
  func unknown() throws {
    let sysfs = Sysfs()
    try sysfs.plug(
      "ttyACM0",
      ["idVendor": "2341", "idProduct": "0043", "manufacturer": "Arduino (www.arduino.cc)"])
    try sysfs.plug(
      "ttyUSB0",
      ["idVendor": "067b", "idProduct": "2303", "product": "USB-Serial Controller"])
    try sysfs.plug("ttyACM1", ["idVendor": "1546", "idProduct": "1102"])
    for name in ["ttyACM0", "ttyUSB0", "ttyACM1", "ttyAMA0", "ttyS0", "nothing"] {
      #expect(!Receivers.isKnown(name, in: sysfs.path), "\(name)")
    }
  }

  @Test("are opened without being named; others are left alone, with the line that names them")
  func named() throws {
    let usual = SourceURL.usual.compactMap { if case .tty(let line) = $0 { line } else { nil } }
    let line = try #require(usual.first)
    #expect(Receivers.whyNot("/dev/gnss0", [], line) == nil)
    #expect(
      Receivers.whyNot("/dev/ttyUSB77", [], line)?.contains("Source=nmea:///dev/ttyUSB77") == true)
    for text in ["nmea:auto?match=/dev/ttyUSB*", "nmea:///dev/ttyUSB77"] {
      guard case .tty(let named) = try SourceURL(text) else { continue }
      #expect(Receivers.whyNot("/dev/ttyUSB77", [], named) == nil)
    }
  }
}

@Suite("This machine's gpsd") struct GpsdListenerTests {
  private static let head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"

  private func whyNot(_ lines: [String]) throws -> String? {
    let path = FileManager.default.temporaryDirectory.path + "/tcp-\(UUID().uuidString)"
    try ([Self.head] + lines).joined(separator: "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return GpsdListener.whyNot(port: 2947, tables: [path, "/none"], gpsd: 111)
  }

  private func row(_ state: String, uid: Int, port: String = "0B83") -> String {
    "   0: 0100007F:\(port) 00000000:0000 \(state) 00000000:00000000 00:00000000 00000000  \(uid)"
      + "        0 17 1 0 100 0 0 10 0"
  }

  @Test("is connected to where root or gpsd listens, and left alone where another user does")
  func owners() throws {
    #expect(try whyNot([row("0A", uid: 0)]) == nil)
    #expect(try whyNot([row("0A", uid: 111)]) == nil)
    #expect(try whyNot([row("0A", uid: 1000)])?.contains("uid 1000") == true)
    #expect(try whyNot([row("0A", uid: 0), row("0A", uid: 1000)])?.contains("uid 1000") == true)
    for other in [[], [row("01", uid: 0)], [row("0A", uid: 0, port: "0B84")], ["nonsense", ""]] {
      #expect(try whyNot(other) == "no gpsd runs on this machine")
    }
  }
}

@Suite("Why there is no fix") struct OutlookTests {
  private func source(
    _ name: String, _ state: SourceState, remark: String? = nil, age: Double? = nil
  ) -> SourceStatus {
    var source = SourceStatus(name: name, state: state, stateAge: 1)
    source.details.remark = remark
    source.lastFixAge = age
    return source
  }

  @Test(
    "is said of each source that could give one, and of none where one does or nobody needs any")
  func reasons() {
    let compass = source("compass", .waiting)
    #expect([compass].whyNoFix == "no source is configured")
    #expect([source("a", .closed), compass].whyNoFix == nil)
    #expect(
      [source("a", .failed("no gpsd runs on this machine")), source("b", .failed("it is gone"))]
        .whyNoFix == "a: no gpsd runs on this machine; b: it is gone")
    #expect(
      [source("a", .failed("x")), source("b", .running, age: 1)].whyNoFix == nil)
    #expect(
      [source("b", .waiting, remark: "the receiver has no fix, and sees 3 satellites")].whyNoFix
        == "b: the receiver has no fix, and sees 3 satellites")
    // Closed, as nobody needs it, and sure to give nothing.
    let gone = source("a", .closed, remark: "no receiver is plugged in")
    #expect([gone].whyNoFix == "a: no receiver is plugged in")
    #expect([gone, source("b", .closed)].whyNoFix == nil)
    #expect([source("b", .running, age: 21)].whyNoFix == "b: not heard for 21 s")
  }
}
