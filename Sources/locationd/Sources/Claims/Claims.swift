import LocationModel
import Platform

/// One who knows which devices are others'.
protocol Informant: AnyObject {
  /// The claims that are known by now.
  var claims: [Claim] { get }
  /// Tells once, perhaps at once, that it has said all; not if it is cancelled before.
  func ask(over: @escaping () -> Void)
  func cancel()
}

/// Which devices others say are theirs. gpsd may have been given some since it began, as udev does
/// with each receiver that is plugged in, and ModemManager closes those of a modem that is off: of
/// such only they know.
final class Claims {
  private let informants: [any Informant]
  private var unheard = 0
  private var deadline: EventLoop.Timer?
  private var completion: (([Claim]) -> Void)?

  /// A living service answers in a few milliseconds, while a machine starts in more.
  private static let patience: Duration = .seconds(1)

  init(of informants: [any Informant], on loop: EventLoop) throws(SystemError) {
    self.informants = informants
    deadline = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in
      conclude()
    }
  }

  var isAsking: Bool { completion != nil }

  /// Tells it later, if there is anybody to ask.
  func ask(_ completion: @escaping ([Claim]) -> Void) {
    cancel()
    self.completion = completion
    unheard = informants.count
    for informant in informants { informant.ask { [unowned self] in heardOne() } }
    if unheard == 0 { conclude() } else { deadline?.set(Clock.boottime + Self.patience) }
  }

  func cancel() {
    completion = nil
    deadline?.set(nil)
    for informant in informants { informant.cancel() }
  }

  /// The owner is told later, not inside of the callback that heard it.
  private func heardOne() {
    unheard -= 1
    if unheard == 0 { deadline?.set(Clock.boottime) }
  }

  private func conclude() {
    guard let completion else { return }
    let claims = informants.flatMap(\.claims)
    cancel()
    completion(claims)
  }
}
