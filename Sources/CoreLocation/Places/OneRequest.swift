import Dispatch
import Foundation
package import LocationClient
package import LocationModel

/// The one request that an object may have under way. Handlers are called on the main queue, exactly
/// once.
package final class OneRequest<Value: Sendable>: Sendable {
  package typealias Handler = (Result<Value, any Error>) -> Void

  private let current = Guarded<Call?>(nil)

  package init() {}

  /// Apple's handlers have a value or an error.
  package static func result(
    for handler: @escaping (Value?, (any Error)?) -> Void
  ) -> Handler {
    { result in
      switch result {
      case .success(let value): handler(value, nil)
      case .failure(let error): handler(nil, error)
      }
    }
  }

  package var isBusy: Bool { current.withLock { $0 != nil } }

  package func isUnderWay(_ call: Call) -> Bool { current.withLock { $0 === call } }

  /// The call to end, or nil where another is under way.
  package func begin(_ handler: @escaping Handler) -> Call? {
    let call = Call(handler)
    return current.withLock { current in
      guard current == nil else { return nil }
      current = call
      return call
    }
  }

  /// Ends a call; a call that was cancelled has ended already.
  package func end(_ call: Call, _ result: Result<Value, any Error>) {
    DispatchQueue.main.async { [self] in
      current.withLock { if $0 === call { $0 = nil } }
      call.end(result)
    }
  }

  package func cancel(_ error: some Error) {
    let call = current.withLock { current in
      defer { current = nil }
      return current
    }
    guard let call else { return }
    DispatchQueue.main.async { call.end(.failure(error)) }
  }

  /// Tells a handler that has no call.
  package static func refuse(_ handler: @escaping Handler, _ error: some Error) {
    let call = Call(handler)
    DispatchQueue.main.async { call.end(.failure(error)) }
  }

  /// Asks places within the budget, and ends with what `value` makes of the answer. `unasked` says why a
  /// request is not asked.
  package func ask(
    _ question: PlaceRequest?, of client: PlacesClient,
    within budget: KeyPath<PlacesClient, Guarded<RequestBudget>>,
    else unasked: (Unasked) -> any Error,
    then value: @escaping @Sendable (PlacesClient.Answer) -> Result<Value, any Error>,
    _ handler: @escaping Handler
  ) {
    ask(
      all: question.map { [$0] } ?? [], of: client, within: budget, else: unasked,
      then: { value($0[0]) }, handler)
  }

  /// Asks several questions as one request, and ends once each is answered.
  package func ask(
    all questions: [PlaceRequest], of client: PlacesClient,
    within budget: KeyPath<PlacesClient, Guarded<RequestBudget>>,
    else unasked: (Unasked) -> any Error,
    then value: @escaping @Sendable ([PlacesClient.Answer]) -> Result<Value, any Error>,
    _ handler: @escaping Handler
  ) {
    guard let call = begin(handler) else { return Self.refuse(handler, unasked(.busy)) }
    guard !questions.isEmpty else { return end(call, .failure(unasked(.noQuestion))) }
    guard client[keyPath: budget].spend() else { return end(call, .failure(unasked(.throttled))) }
    let answers = Guarded([PlacesClient.Answer?](repeating: nil, count: questions.count))
    for (i, question) in questions.enumerated() {
      client.ask(question) { [self] answer in
        let all = answers.withLock { answers in
          answers[i] = answer
          return answers.compactMap { $0 }
        }
        if all.count == questions.count { end(call, value(all)) }
      }
    }
  }

  package final class Call: Sendable {
    private let handler: Guarded<Callback<Handler>?>

    fileprivate init(_ handler: @escaping Handler) {
      self.handler = Guarded(Callback(handler))
    }

    /// Only the first end counts.
    fileprivate func end(_ result: Result<Value, any Error>) {
      let handler = handler.withLock { handler in
        defer { handler = nil }
        return handler
      }
      handler?.call(result)
    }
  }
}

/// Why an object does not ask what it is to ask.
package enum Unasked {
  /// A request is under way.
  case busy
  /// No service has an answer to it.
  case noQuestion
  /// The app has begun many in the last minute.
  case throttled
}

/// Awaits the call of a handler as Apple's have it. A task that is cancelled cancels the request.
nonisolated(nonsending) package func awaited<Value: Sendable>(
  _ begin: (@escaping (Value?, (any Error)?) -> Void) -> Void,
  onCancel cancel: @Sendable () -> Void
) async throws -> Value {
  try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      begin { value, error in
        if let value {
          continuation.resume(returning: value)
        } else {
          continuation.resume(throwing: error ?? CLError(.locationUnknown))
        }
      }
    }
  } onCancel: {
    cancel()
  }
}
