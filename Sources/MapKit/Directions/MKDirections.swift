import CoreLocation
public import Foundation
import LocationClient
import LocationModel

/// The way from one place to another. Handlers are called on the main queue, exactly once.
// Unchecked, as open classes are: it holds constants.
open class MKDirections: NSObject, @unchecked Sendable {
  public typealias DirectionsHandler = (Response?, (any Error)?) -> Void
  public typealias ETAHandler = (ETAResponse?, (any Error)?) -> Void

  private let question: Result<Question, MKError>
  private let request = OneRequest<Found>()
  private let client = PlacesClient.current
  private let managers = ManagerMaker()

  public init(request: Request) {
    question = Result { () throws(MKError) in try Question(request) }
  }

  open var isCalculating: Bool { request.isBusy }

  open func calculate(completionHandler: @escaping DirectionsHandler) {
    begin(hasAlternates: true) { result in
      switch result {
      case .success(let found): completionHandler(Response(found), nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  /// How long the best way takes, and nothing more about it.
  open func calculateETA(completionHandler: @escaping ETAHandler) {
    begin(hasAlternates: false) { result in
      switch result {
      case .success(let found):
        guard let best = found.routes.first else { return }
        completionHandler(ETAResponse(found, best), nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  nonisolated(nonsending) open func calculate() async throws -> Response {
    try await awaited {
      calculate(completionHandler: $0)
    } onCancel: {
      cancel()
    }
  }

  nonisolated(nonsending) open func calculateETA() async throws -> ETAResponse {
    try await awaited {
      calculateETA(completionHandler: $0)
    } onCancel: {
      cancel()
    }
  }

  /// The handler of the calculation under way is told so.
  open func cancel() {
    request.cancel(MKError(.unknown, "The calculation was cancelled."))
  }

  private func begin(
    hasAlternates: Bool, _ handler: @escaping (Result<Found, any Error>) -> Void
  ) {
    guard let call = request.begin(handler) else {
      return OneRequest.refuse(
        handler, MKError(.unknown, "An object does one request at a time: make another one."))
    }
    do throws(MKError) {
      let question = try question.get()
      guard client.directions.spend() else {
        throw MKError(.loadingThrottled, RequestBudget.excess("calculations"))
      }
      guard question.isAboutHere else { return ask(question, from: nil, hasAlternates, call) }
      CurrentPlace.find(by: managers) { [self] result in
        // A place that nobody waits for is asked nobody about.
        guard request.isUnderWay(call) else { return }
        switch result {
        case .success(let here): ask(question, from: here, hasAlternates, call)
        case .failure(let error): request.end(call, .failure(error))
        }
      }
    } catch {
      request.end(call, .failure(error))
    }
  }

  private func ask(
    _ question: Question, from here: Coordinate?, _ hasAlternates: Bool,
    _ call: OneRequest<Found>.Call
  ) {
    do throws(MKError) {
      let words = try question.request(
        here: here, alternates: hasAlternates && question.alternates)
      client.ask(.directions(words)) { [request] answer in
        request.end(call, Self.found(answer, question).mapError { $0 })
      }
    } catch {
      request.end(call, .failure(error))
    }
  }

  private static func found(
    _ answer: PlacesClient.Answer, _ question: Question
  ) -> Result<Found, MKError> {
    switch answer {
    case .success(let reply):
      guard case .routes(let routes) = reply, !routes.isEmpty else {
        return .failure(
          MKError(.directionsNotFound, "There is no way from the source to the destination."))
      }
      return .success(Found(question, routes))
    case .failure(.unreadableReply):
      return .failure(
        MKError(.decodingFailed, "The answer holds no way that this program can read."))
    case .failure(let refusal): return .failure(MKError(refusal))
    }
  }
}
