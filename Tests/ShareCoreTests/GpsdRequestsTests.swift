import LocationModel
import Testing

@testable import ShareCore

private func requests(_ packets: String..., rests: Bool = false) -> [GpsdRequest] {
  var reader = GpsdRequests()
  var requests: [GpsdRequest] = []
  for packet in packets {
    Array(packet.utf8).withUnsafeBytes { reader.read($0, into: &requests) }
    if rests { reader.rest(into: &requests) }
  }
  reader.rest(into: &requests)
  return requests
}

@Suite("Requests of gpsd's clients") struct GpsdRequestsTests {
  private static let nmea = GpsdRequest.watch(["class": "WATCH", "nmea": .bool(true)])

  @Test(
    "a request ends with a semicolon, a line feed, both or neither",
    arguments: ["", ";", "\n", ";\n", "\r\n", ";\r\n"])
  func ends(end: String) {
    #expect(requests(#"?WATCH={"class":"WATCH", "nmea":true}"# + end) == [Self.nmea])
    for (name, request) in [
      ("VERSION", GpsdRequest.version), ("DEVICES", .devices), ("DEVICE", .device(nil)),
      ("POLL", .poll), ("WATCH", .watch(nil)),
    ] {
      #expect(requests("?\(name)\(end)") == [request])
    }
  }

  @Test("requests of real programs are read, byte for byte and byte by byte")
  func real() {
    let all: [(String, [GpsdRequest])] = [
      (
        #"?WATCH={"enable":true,"nmea":true,"raw":true};"#,
        [.watch(["enable": .bool(true), "nmea": .bool(true), "raw": .bool(true)])]
      ),
      (
        "?WATCH={\"raw\":2,\"pps\":true}\r\n", [.watch(["raw": .integer(2), "pps": .bool(true)])]
      ),
      (
        "?WATCH={\"enable\":true};\n?WATCH={\"json\":true}\r\n",
        [.watch(["enable": .bool(true)]), .watch(["json": .bool(true)])]
      ),
      ("?VERSION;?DEVICES;", [.version, .devices]),
      ("?WATCH={\"enable\":true}\n?POLL;\n", [.watch(["enable": .bool(true)]), .poll]),
      ("?DEVICE={\"path\":\"/dev/x\"}", [.device(["path": "/dev/x"])]),
      ("garbage\n", []), ("\r\n\r\n", []),
      ("?FOO;\n", [.unknown("?FOO")]),
    ]
    for (text, expected) in all {
      #expect(requests(text) == expected, "\(text)")
      var reader = GpsdRequests()
      var found: [GpsdRequest] = []
      for byte in text.utf8 { withUnsafeBytes(of: byte) { reader.read($0, into: &found) } }
      reader.rest(into: &found)
      #expect(found == expected, "\(text)")
    }
  }

  @Test("a name that was answered for want of more is not answered again when more comes")
  func rested() {
    #expect(requests("?WATCH", ";\n", rests: true) == [.watch(nil)])
    #expect(
      requests("?WATCH", "={\"nmea\":true}", rests: true)
        == [.watch(nil), .watch(["nmea": .bool(true)])])
    #expect(requests("?DEVICE", "S;", rests: true) == [.device(nil), .devices])
    #expect(requests("?POLL", "?POLL", ";") == [.poll, .poll])
  }

  @Test("it does not matter how the bytes are cut")
  func cuts() {
    let text = #"?POLL52={"a?DEVICE={};?VERSION={"x":1}?DEVICESX;?DEVICE?WATCH={"json":true}?POLL"#
    let bytes = Array(text.utf8)
    for first in 0...bytes.count {
      var reader = GpsdRequests()
      var found: [GpsdRequest] = []
      for piece in [bytes[..<first], bytes[first...]] {
        piece.withUnsafeBytes { reader.read($0, into: &found) }
      }
      reader.rest(into: &found)
      #expect(found == requests(text))
    }
  }

  @Test("braces inside of strings end nothing")
  func strings() {
    #expect(
      requests(#"?WATCH={"device":"}\"{"};"#) == [.watch(["device": "}\"{"])])
    #expect(
      requests(#"?WATCH={"x":[1,{"y":2}],"json":true};"#).count == 1)
  }

  @Test("an argument that is no object is told as such")
  func malformed() {
    #expect(requests("?WATCH={enable}") == [.malformed("WATCH")])
    #expect(requests("?WATCH={\"a\":}") == [.malformed("WATCH")])
    #expect(requests("?WATCH=1;").first != .watch(nil))
  }

  @Test("what has no end is bounded, and the next line is read")
  func bounded() {
    var reader = GpsdRequests()
    var found: [GpsdRequest] = []
    let block = [UInt8](repeating: UInt8(ascii: "{"), count: 65536)
    Array("?WATCH=".utf8).withUnsafeBytes { reader.read($0, into: &found) }
    for _ in 0..<160 {
      block.withUnsafeBytes { reader.read($0, into: &found) }
      #expect(reader.held <= GpsdRequests.longest)
    }
    #expect(found.count == 1)
    Array("\n?VERSION;".utf8).withUnsafeBytes { reader.read($0, into: &found) }
    #expect(found.last == .version)
  }

  @Test("text that is no request costs nothing")
  func garbage() {
    var reader = GpsdRequests()
    var found: [GpsdRequest] = []
    [UInt8](repeating: 0x41, count: 1 << 20).withUnsafeBytes { reader.read($0, into: &found) }
    #expect(found.isEmpty && reader.held == 0)
  }

  @Test(
    "a connection that begins as one of the web is told",
    arguments: [
      "GET / HTTP/1.1\r\n", "POST /?WATCH={} HTTP/1.1", "OPTIONS * HTTP/1.1", "\u{16}\u{03}\u{01}",
      "PRI * HTTP/2.0", "\0\u{03}\0\u{1C}!",
    ])
  func web(text: String) {
    var opening = Opening()
    for byte in text.utf8 {
      withUnsafeBytes(of: byte) { opening.read($0) }
      if opening.verdict != .open { break }
    }
    #expect(opening.verdict == .foreign)
  }

  @Test("a client of gpsd's is no program of the web", arguments: ["?WATCH", "\n", "hello", "GPS"])
  func usual(text: String) {
    var opening = Opening()
    Array(text.utf8).withUnsafeBytes { opening.read($0) }
    #expect(opening.verdict == .usual)
  }
}
