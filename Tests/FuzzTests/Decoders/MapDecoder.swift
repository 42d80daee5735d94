import HTTPServer
import LocationModel

@testable import locationd_map

extension Decoder {
  /// What the map's page is told by its parent, and what a browser asks.
  static var map: Decoder {
    let words = [
      #"{"set":"position","value":{"latitude":50,"longitude":8}}"#,
      #"{"add":"track","value":[50,8,1772359200]}"#,
      #"{"add":"track","value":[50.1,8,1772359201]}"#,
      #"{"set":"track","value":null}"#, #"{"to":1,"id":2,"value":{"result":{}}}"#,
      #"{"pictures":["https://tile.example.org","http://127.0.0.1:8080"]}"#,
    ]
    let requests = [
      "GET /\(token)/main.js\nHost: 127.0.0.1:8000\n\n",
      "GET /\(token)/events\nhost: LOCALHOST:8000\nSec-Fetch-Site: same-origin\n\n",
      "POST /\(token)/wish\nHost: 127.0.0.1:8000\nOrigin: http://127.0.0.1:8000\n"
        + "Content-Type: application/json\n\n"
        + #"{"page":1,"id":2,"wish":{"ask":"search","of":{"text":"a"}}}"#,
    ]
    return Decoder(
      name: "map",
      words: extremes + [
        #""set":"#, #""add":"#, #""value":"#, #""to":"#, #""id":"#, #""page":"#, #""wish":{"#,
        #""pictures":["#, "https://", "track", "position", "\n", "\\n", "\\u2028", "GET ", "POST ",
        "HEAD ", "/\(token)/", "events", "wish", "..", "%2e", "Host: ", "Origin: ",
        "Sec-Fetch-Site: ", "127.0.0.1:8000", "localhost:8000", "null", "{", "}", "[", "]",
      ],
      seeds: [[UInt8](0x40, words.joined(separator: "\n"))] + words.map { [UInt8](0x40, $0) }
        + requests.map { [UInt8](0x41, $0) }
    ) { input in
      let (choice, bytes) = input.choice
      guard choice & 1 == 0 else { return ask(bytes) }
      var lines = LineBuffer(longest: 1 << 12)
      var record = PageRecord()
      var told: UInt64 = 0
      (bytes + [0x0A]).forEachPiece(of: 1 + Int(choice >> 2) * 16) { piece in
        lines.append(piece)
        while let line = lines.next() {
          guard let message = ParentMessage(line) else { continue }
          receive(message, &record)
          if choice & 2 == 0 { read(record, after: &told) }
        }
      }
      check(lines.held == 0, "something is left")
      read(record, after: &told)
      told = 0
      read(record, after: &told)
    }
  }

  private static let token = "0123456789abcdef0123456789abcdef"

  private static func receive(_ message: ParentMessage, _ record: inout PageRecord) {
    let before = record.held
    switch message {
    case .set(let name, let value): record.set(name, value)
    case .add(let name, let value):
      record.add(name, value)
      check(record.held > before, "it costs nothing")
    case .answer(_, let message): check(isLine(message), "it is more than a line")
    case .pictures(let servers):
      let plain = servers.joined().utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F: true
        default: false
        }
      }
      check(plain, "it says more than a server")
    }
  }

  /// As a page does: each message is a line with one object in it.
  private static func read(_ record: PageRecord, after told: inout UInt64) {
    while let message = record.message(after: &told) {
      check(isLine(message), "it is more than a line")
    }
  }

  private static func isLine(_ message: [UInt8]) -> Bool {
    message.withUnsafeBytes { UnreadObject($0) != nil }
  }

  /// `METHOD PATH`, headers, an empty line and the body.
  private static func ask(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    let first = (head.first ?? "").split(separator: " ", maxSplits: 1).map(String.init)
    guard first.count == 2 else { return }
    let headers = head.dropFirst().map { line in
      let name = line.prefix { $0 != ":" }
      return (name: String(name), value: String(line.dropFirst(name.count + 2)))
    }
    let request = HTTPRequest(method: first[0], path: first[1], headers: headers)
    guard case .pass(let name) = Gate(port: 8000, token: token).judge(request) else { return }
    check(request.path == "/\(token)/\(name)", "it does not know the token")
    check(request.header("Host") != nil, "it is another site's")
    let body = Array(lines.dropFirst(head.count + 1).joined(separator: [0x0A]))
    guard let sent = PageRequest(body) else { return }
    let line = sent.json.text
    check(!line.contains("\n"), "it is more than a line")
    check((try? JSON(parsing: line))?["page"]?.integer == sent.page, "it is another page's")
  }
}
