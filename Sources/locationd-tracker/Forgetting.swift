import LocationModel
import Platform
import TrackCore
import TrackStore

/// The answers to `track forget` that wait until brokers have said that they retain the place no more.
final class Forgetting {
  private var waiting: [(uplinks: [Uplink], until: Boottime, answer: () -> Void)] = []
  private var timer: EventLoop.Timer?

  private static let longest: Duration = .seconds(3)

  init(on loop: EventLoop) throws(SystemError) {
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in review() }
  }

  func wait(for uplinks: [Uplink], _ answer: @escaping () -> Void) {
    waiting.append((uplinks, Clock.boottime + Self.longest, answer))
    review()
  }

  /// A broker has confirmed something, or time has passed.
  func review() {
    guard !waiting.isEmpty else { return }
    let (now, questions) = (Clock.boottime, waiting)
    waiting = []
    for question in questions {
      if question.until <= now || !question.uplinks.contains(where: \.isClearing) {
        question.answer()
      } else {
        waiting.append(question)
      }
    }
    timer?.set(waiting.map(\.until).min())
  }
}

extension Tracker {
  /// Servers are told, too, as far as they can be.
  func forget(
    _ from: Timestamp, _ to: Timestamp,
    _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    guard from <= to else { return body(.success(.removed(0, remains: []))) }
    record(.forgotten(from...to))
    store.forget(from: from, to: to) { [weak self] in
      self?.conclude($0, .time(from...to), body)
    }
  }

  func forget(
    zone name: String, _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    guard let zone = zone(name) else {
      let words = "The configuration has no zone '\(name.plain(atMost: 64))'."
      return body(.failure(Refusal(.invalidParameters, words)))
    }
    store.forget(in: zone) { [weak self] in self?.conclude($0, .zone(zone), body) }
  }

  private func conclude(
    _ removed: Result<Int64, DatabaseError>, _ removal: Removal,
    _ body: @escaping (Result<TrackReply, Refusal>) -> Void
  ) {
    switch removed {
    case .failure(let error): body(.failure(Self.cannotChange(error)))
    case .success(0) where !uplinks.contains { $0.mayRetain(removal) }:
      body(.success(.removed(0, remains: [])))
    case .success(let removed):
      let told = uplinks
      for uplink in told { uplink.handle(.forgotten(removal)) }
      let asked = told.map(\.toClear)
      forgetting.wait(for: told) {
        let remains = zip(told, asked).flatMap { $0.remains($1) }
        body(.success(.removed(removed, remains: remains)))
      }
    }
  }
}
