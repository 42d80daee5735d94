import LocationModel
import ShareCore

extension Decoder {
  /// The requests of programs at gpsd's port.
  static var share: Decoder {
    let requests = [
      #"?WATCH={"class":"WATCH", "nmea":true}"#, #"?WATCH={"enable":true,"json":true,"raw":2};"#,
      "?VERSION;?DEVICES;?DEVICE;?POLL;", "?DEVICE={\"path\":\"locationd\",\"bps\":4800}\r\n",
      "?WATCH={\"device\":\"}\\\"{\"}\n?POLL", "GET / HTTP/1.1\r\n\r\n", "?FOO;\ngarbage",
      "?POLL52={\u{1b}?DEVICE={}",
    ]
    return Decoder(
      name: "share",
      words: extremes + [
        "?WATCH", "?POLL", "?DEVICE", "S", "={", "}", ";", "\n", "?", "\"enable\":false",
        "\"json\":",
        "\"nmea\":", "\"raw\":", "true", "\\\"", "[", "]", "POST ", "\u{16}\u{3}",
      ],
      seeds: requests.enumerated().map { [UInt8($0 * 9)] + $1.utf8 }
    ) { input in
      let (choice, bytes) = input.choice
      let whole = read(bytes, by: max(bytes.count, 1))
      let cut = read(bytes, by: 1 + Int(choice >> 3))
      check(whole == cut, "it matters how it is cut")
      var session = GpsdSession(at: .epoch)
      session.mayKnow = choice & 1 == 0
      for request in whole {
        var reply = TextBuffer()
        session.answer(request, nil, at: .epoch, into: &reply)
        let text = String(decoding: reply.bytes, as: UTF8.self)
        check(text.hasSuffix("}\r\n"), "no answer")
        for line in text.split(separator: "\r\n") {
          check((try? JSON(parsing: String(line)))?["class"] != nil, "not JSON")
          check(choice & 1 == 0 || !line.contains("activated"), "a receiver is told of")
        }
      }
    }
  }

  private static func read(_ bytes: [UInt8], by piece: Int) -> [GpsdRequest] {
    var reader = GpsdRequests()
    var opening = Opening()
    var requests: [GpsdRequest] = []
    bytes.forEachPiece(of: piece) {
      opening.read($0)
      reader.read($0, into: &requests)
      check(reader.held <= 4096, "it grows")
    }
    reader.rest(into: &requests)
    return requests
  }
}
