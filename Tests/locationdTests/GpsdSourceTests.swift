import Glibc
import LocationCore
import LocationModel
import Platform
import TestSupport
import Testing

@testable import locationd

@Suite("A gpsd that is none, or ill") struct GpsdSourceTests {
  private static let greeting = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
  private static func devices(_ paths: String...) -> String {
    let list = paths.map { #"{"class":"DEVICE","path":"\#($0)"}"# }.joined(separator: ",")
    return #"{"class":"DEVICES","devices":[\#(list)]}"# + "\r\n"
  }

  private func source(
    at pretender: Pretender, device: String? = nil, patience: Double = 0.3
  ) throws -> RunningSource {
    try RunningSource {
      try GpsdSource(
        .init(host: "127.0.0.1", port: pretender.port, device: device), in: $0,
        patience: .seconds(patience))
    }
  }

  @Test("one that answers is watched, and only the receiver asked for")
  func watch() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender, device: "/dev/\"a", patience: 60)
    #expect(try running.turn { pretender.answer() == 1 })
    var heard = ""
    #expect(
      try running.turn {
        heard += pretender.heard()
        return heard.hasSuffix("\n")
      })
    #expect(heard == "?WATCH={\"enable\":true,\"json\":true,\"device\":\"/dev/\\\"a\"};\n")
    pretender.say(Self.greeting + Self.devices("/dev/\\\"a"))
    #expect(try running.turn { running.told == ["found"] })
  }

  @Test("one that takes the call and never answers is called again and again, after pauses")
  func neverAnswers() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender)
    #expect(try running.turn { pretender.answer() >= 3 })
    #expect(running.told.allSatisfy { $0 == "failed: it does not answer" })
    #expect(try running.turn { running.details.nextRetry ?? 9 <= 2 })
  }

  @Test("one that falls silent is asked whether it lives, and called anew if it does not say")
  func fallsSilent() throws {
    // A machine that has much else to do may hold up the first word for longer than is waited for it.
    let isHeard = try [0.5, 2, 8, 32].contains { try fallsSilent(patience: $0) }
    #expect(isHeard)
  }

  /// False where it was taken to be silent before it had said a word.
  private func fallsSilent(patience: Double) throws -> Bool {
    let pretender = try Pretender()
    let running = try source(at: pretender, patience: patience)
    #expect(try running.turn { pretender.answer() == 1 })
    // It has no receiver: that is asked for again soon.
    pretender.say(Self.greeting + Self.devices())
    #expect(try running.turn { !running.told.isEmpty })
    if running.told.first == "failed: it does not answer" { return false }
    #expect(running.told == ["failed: gpsd has no receiver"])
    var heard = ""
    #expect(
      try running.turn {
        heard += pretender.heard()
        return heard.contains("?DEVICES;\n")
      })
    #expect(try running.turn { pretender.answer() == 2 })
    #expect(running.told.last == "failed: it does not answer")
    return true
  }

  @Test("a receiver that comes later is found, and watched")
  func comesLater() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender, patience: 60)
    #expect(try running.turn { pretender.answer() == 1 })
    pretender.say(Self.greeting + Self.devices())
    #expect(try running.turn { running.told.count == 1 })
    _ = pretender.heard()
    pretender.say(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T12:00:00Z"}"# + "\n")
    #expect(try running.turn { running.told.last == "found" })
    #expect(try running.turn { pretender.heard().contains("WATCH") })
  }

  @Test("what it refuses is said as it said it, and tried again")
  func refusal() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender, device: "/dev/none", patience: 60)
    #expect(try running.turn { pretender.answer() == 1 })
    pretender.say(Self.greeting + #"{"class":"ERROR","message":"No such device"}"# + "\n")
    #expect(try running.turn { running.told.last == "failed: gpsd: No such device" })
    #expect(try running.turn { pretender.answer() == 2 })
  }

  @Test("garbage and lines without an end are not believed, and a good line after them is")
  func garbage() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender, patience: 60)
    #expect(try running.turn { pretender.answer() == 1 })
    pretender.say(Self.greeting + Self.devices("/dev/a"))
    let endless = String(repeating: #"{"class":[[[[{"a":"#, count: 2000)
    for _ in 0..<20 {
      pretender.say(endless)
      try running.loop.turn(within: .milliseconds(1))
    }
    var sent = 0
    #expect(
      try running.turn {
        sent += 1
        pretender.say(
          "\n" + #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-21T12:"#
            + String(sent / 60 % 60 + 100).dropFirst() + ":" + String(sent % 60 + 100).dropFirst()
            + #"Z","lat":45.0,"lon":7.0}"# + "\n")
        return running.fixes.count > 2
      })
    #expect(running.fixes.allSatisfy { $0.location.coordinate.latitude == 45 })
  }

  @Test("closed, it has hung up and nothing moves")
  func closed() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender)
    #expect(try running.turn { pretender.answer() == 1 })
    running.source?.close()
    let (callers, told) = (pretender.answer(), running.told)
    var byte: UInt8 = 0
    #expect(
      try running.turn {
        let caller = try #require(pretender.callers.last)
        return recv(caller, &byte, 1, 0) == 0
      })
    #expect(try !running.turn(within: 0.8) { pretender.answer() > callers })
    #expect(running.told == told)
  }

  @Test("a receiver of its that falls silent is called so, though gpsd itself goes on to answer")
  func silentReceiver() throws {
    let pretender = try Pretender()
    let running = try source(at: pretender, patience: 60)
    #expect(try running.turn { pretender.answer() == 1 })
    pretender.say(Self.greeting + Self.devices("/dev/ttyUSB0"))
    pretender.say(#"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"# + "\r\n")
    var heard = ""
    let isSilent = try running.turn {
      heard += pretender.heard()
      if heard.hasSuffix("?DEVICES;\n") {
        heard = ""
        pretender.say(Self.devices("/dev/ttyUSB0"))
      }
      return running.details.remark == "nothing comes from it"
    }
    #expect(isSilent)
  }
}

@Suite("Receivers that send datagrams") struct DatagramSourceTests {
  private final class Phone {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    deinit { close(descriptor) }

    func send(_ text: String, to port: Int, host: UInt32 = 0x7F00_0001) {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = host.bigEndian
      address.sin_port = UInt16(port).bigEndian
      let bytes = Array(text.utf8)
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(
            descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    static func epoch(_ second: Int, latitude: Int) -> String {
      let body =
        "GPRMC,1200\(second / 10)\(second % 10).00,A,\(latitude)00.000,N,00700.000,E,1.0,0.0,211126,,,A"
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
    }
  }

  private func source(_ address: String, _ port: Int) throws -> RunningSource {
    try RunningSource { try DatagramSource(.init(address: address, port: port), in: $0) }
  }

  /// On a port that nobody has, below those that the kernel gives to whoever wants any.
  private func source(_ address: String) throws -> (RunningSource, port: Int) {
    for port in (10_000..<30_000).shuffled().prefix(100) {
      let running = try source(address, port)
      if running.told == ["found"] { return (running, port) }
    }
    throw NoPort()
  }

  private struct NoPort: Error {}

  @Test("are heard on the address asked for, and on no other")
  func bound() throws {
    let (running, port) = try source("127.0.0.2")
    let phone = Phone()
    for second in 0..<3 {
      phone.send(Phone.epoch(second, latitude: 46), to: port, host: 0x7F00_0001)
    }
    for second in 0..<3 {
      phone.send(Phone.epoch(second, latitude: 45), to: port, host: 0x7F00_0002)
    }
    #expect(try running.turn { running.fixes.count == 3 })
    #expect(running.fixes.allSatisfy { $0.location.coordinate.latitude == 45 })
    #expect(running.details.device?.hasPrefix("127.0.0.1 port ") == true)
  }

  @Test("are told apart: what two say at once is not mixed, and one of them is believed")
  func two() throws {
    let (running, port) = try source("127.0.0.1")
    let phones = [Phone(), Phone()]
    for second in 0..<20 {
      for (i, phone) in phones.enumerated() {
        let epoch = Phone.epoch(second, latitude: 45 + i)
        // In halves, one of each in turn.
        phone.send(String(epoch.prefix(20)), to: port)
        phones[1 - i].send("", to: port)
        phone.send(String(epoch.dropFirst(20)), to: port)
      }
      try running.loop.turn(within: .milliseconds(2))
    }
    #expect(try running.turn { running.fixes.count >= 19 })
    #expect(Set(running.fixes.map(\.location.coordinate.latitude)).count == 1)
  }

  @Test(
    "are known again, those too that take another port for each thing they say", arguments: [1, 2])
  func changing(words: Int) throws {
    let (running, port) = try source("127.0.0.1")
    var second = 0
    let isHeard = try running.turn {
      let phone = Phone()
      for _ in 0..<words {
        phone.send(Phone.epoch(second, latitude: 45), to: port)
        second = (second + 1) % 60
      }
      return running.fixes.count >= 12
    }
    #expect(isHeard)
  }

  @Test("are bounded: a crowd of senders does not drive out the one that is believed")
  func crowd() throws {
    let (running, port) = try source("127.0.0.1")
    let good = Phone()
    for second in 0..<4 { good.send(Phone.epoch(second, latitude: 45), to: port) }
    #expect(try running.turn { running.fixes.count >= 3 })
    for i in 0..<50 {
      let bad = Phone()
      for second in 10..<13 { bad.send(Phone.epoch(second, latitude: 60), to: port) }
      good.send(Phone.epoch(4 + i, latitude: 45), to: port)
      try running.loop.turn(within: .milliseconds(1))
    }
    for second in 54..<58 { good.send(Phone.epoch(second, latitude: 45), to: port) }
    #expect(try running.turn { running.fixes.count >= 57 })
    #expect(Set(running.fixes.map(\.location.coordinate.latitude)) == [45])
  }

  @Test("an address that this machine has not is a failure that is tried again")
  func noAddress() throws {
    let running = try source("192.0.2.1", 10110)
    #expect(running.told.first?.contains("192.0.2.1 port 10110") == true)
    #expect(running.details.nextRetry ?? 9 <= 2)
  }
}
