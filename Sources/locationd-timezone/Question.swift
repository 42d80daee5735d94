import LocationClient
import LocationModel
import Platform

/// Questions to a program beside this one, one at a time, on the loop.
final class Question {
  private let inquiry: Inquiry
  private let loop: EventLoop
  private var watch: EventLoop.Watch?
  private var deadline: EventLoop.Timer?

  init(to path: String, on loop: EventLoop) throws(SystemError) {
    inquiry = Inquiry(path)
    self.loop = loop
    deadline = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in step() }
  }

  func ask<Call: ServiceRequest>(
    _ call: Call, within patience: Duration,
    _ reply: @escaping (Result<Call.Reply, ClientError>) -> Void
  ) {
    inquiry.ask(call.method, call.parameters, within: patience) {
      reply($0.flatMap { call.read($0) })
    }
    // A reply at once may have asked again.
    guard watch == nil, let descriptor = inquiry.descriptor else { return }
    watch = try? EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in step() }
    deadline?.set(Clock.boottime + patience + .seconds(1))
  }

  private func step() {
    inquiry.step()
    guard inquiry.descriptor == nil else { return }
    watch = nil
    deadline?.set(nil)
  }
}
