import LocationCore
import Platform

/// Which devices the gpsds of this machine say are theirs. One may have been given some since it began,
/// as udev does with each receiver that is plugged in; of that only it knows.
final class GpsdDevices {
  /// One that is asked.
  private final class Interview {
    var link: Link?
    var decoder = GpsdDecoder(device: nil)
    var isOver = false
  }

  private let resolver: Resolver
  private let loop: EventLoop
  private var interviews: [Interview] = []
  private var deadline: EventLoop.Timer?
  private var answered: (([String]) -> Void)?

  /// One that lives answers in a few milliseconds.
  private static let patience: Int64 = 300_000_000
  private static let most = 4

  init(with resolver: Resolver, on loop: EventLoop) throws(SystemError) {
    self.resolver = resolver
    self.loop = loop
    deadline = try EventLoop.Timer(slack: 10_000_000, on: loop) { [unowned self] in conclude() }
  }

  var isAsking: Bool { answered != nil }

  /// Tells it later, if any of these gpsds can be asked; `ports` are theirs.
  func ask(_ ports: [Int], _ answered: @escaping ([String]) -> Void) {
    cancel()
    interviews = []
    self.answered = answered
    deadline?.set(Clock.boottime + Self.patience)
    for port in ports.prefix(Self.most) {
      let interview = Interview()
      let link = try? Link(to: .tcp(host: "127.0.0.1", port: port), with: resolver, on: loop) {
      } received: { [unowned self, unowned interview] in
        hear($0, in: interview)
      } lost: { [unowned self, unowned interview] _ in
        end(interview)
      }
      guard let link else { continue }
      interview.link = link
      interviews.append(interview)
    }
    for interview in interviews { interview.link?.open() }
  }

  func cancel() {
    answered = nil
    deadline?.set(nil)
    for interview in interviews { interview.link?.close() }
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
    if interviews.allSatisfy(\.isOver) { deadline?.set(Clock.boottime) }
  }

  private func conclude() {
    guard let answered else { return }
    let devices = interviews.flatMap { $0.decoder.receivers.map(\.path) }
    cancel()
    interviews = []
    answered(devices)
  }
}
