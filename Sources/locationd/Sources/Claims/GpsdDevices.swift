import LocationCore
import Platform
import ReceiverCore

/// The gpsds of this machine, asked for their devices.
final class GpsdDevices: Informant {
  /// One that is asked.
  private final class Interview {
    var link: Link?
    var decoder = GpsdDecoder(device: nil)
    var isOver = false
  }

  private let resolver: Resolver
  private var interviews: [Interview] = []
  private var over: (() -> Void)?

  private static let most = 4

  init(with resolver: Resolver) { self.resolver = resolver }

  var claims: [Claim] {
    interviews.flatMap { $0.decoder.receivers.map { Claim(path: $0.path, owner: .gpsd) } }
  }

  func ask(over: @escaping () -> Void) {
    self.over = over
    for port in Self.ports.prefix(Self.most) {
      let interview = Interview()
      let link = try? Link(to: .tcp(host: "127.0.0.1", port: port), with: resolver) {
        [unowned self, unowned interview] in
        switch $0 {
        case .connected: break
        case .received(let bytes): hear(bytes, in: interview)
        case .lost: end(interview)
        }
      }
      guard let link else { continue }
      interview.link = link
      interviews.append(interview)
    }
    for interview in interviews { interview.link?.open() }
    concludeOnceAllAreOver()
  }

  func cancel() {
    over = nil
    for interview in interviews { interview.link?.close() }
    interviews = []
  }

  /// Where those that run listen.
  private static var ports: [Int] {
    DeviceHolder.commandLines(of: "gpsd").map { words in
      let given =
        words.firstIndex(of: "-S").flatMap { words.dropFirst($0 + 1).first }
        ?? words.first { $0.hasPrefix("-S") }?.dropFirst(2).description
      return given.flatMap { Int($0) } ?? SourceURL.Gpsd.usualPort
    }
  }

  private func hear(_ bytes: UnsafeRawBufferPointer, in interview: Interview) {
    guard !interview.isOver else { return }
    var readings: [Reading] = []
    var words: [GpsdDecoder.Word] = []
    interview.decoder.read(bytes, at: .now, into: &readings, words: &words)
    for word in words {
      switch word {
      case .greeting: interview.link?.send("?DEVICES;\n")
      case .receivers, .refusal: end(interview)
      }
    }
  }

  private func end(_ interview: Interview) {
    interview.isOver = true
    concludeOnceAllAreOver()
  }

  private func concludeOnceAllAreOver() {
    guard interviews.allSatisfy(\.isOver) else { return }
    let over = over.take()
    over?()
  }
}
