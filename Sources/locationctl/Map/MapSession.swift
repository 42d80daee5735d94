import Console
import Glibc
import LocationClient
import LocationModel
import TrackCore

/// One run of `locationctl map`: what the daemon says goes to the page, what the person wishes there is asked of the
/// services that know it.
final class MapSession {
  private let helper: MapHelper
  private let daemon: MapDaemon
  private let places: Inquiry
  private let tracker: Inquiry
  private let locale: String?
  private let say: Speech
  /// Why the helper could not be told an answer; it has ended then.
  private var failure: Failure?

  private let paths: (places: String, tracker: String)
  /// Nil where the person ends it.
  private var attendance: PageAttendance?

  private static let placesPatience: Duration = .seconds(15)
  private static let trackerPatience: Duration = .seconds(30)
  /// These the page may ask of the service of places.
  private static let questions: Set<String> = [
    "complete", "search", "geocode", "reverseGeocode", "directions", "streets", "tile",
    "status",
  ]
  /// These are asked in no language.
  private static let wordless: Set<String> = ["tile", "status"]

  init(
    _ helper: MapHelper, daemon: String, places: String, tracker: String, locale: String?,
    endsByItself: Bool
  ) {
    self.helper = helper
    attendance = endsByItself ? PageAttendance() : nil
    self.locale = locale
    say = Speech(locale)
    self.daemon = MapDaemon(helper, path: daemon, in: say)
    self.places = Inquiry(places)
    self.tracker = Inquiry(tracker)
    paths = (places, tracker)
  }

  func run() throws(Failure) {
    defer { daemon.end() }
    while true {
      try helper.tellZone()
      try daemon.step()
      for request in try helper.requests() { try handle(request) }
      places.step()
      tracker.step()
      if let failure { throw failure }
      if attendance?.isOver(pages: helper.pages) == true { return }
      let descriptors = [
        helper.descriptor, daemon.descriptor, places.descriptor, tracker.descriptor,
      ].compactMap { $0 }
      if Interrupts.wait(for: descriptors, milliseconds: 500) == nil { return }
    }
  }
}

// MARK: - Requests

extension MapSession {
  private func handle(_ request: MapHelper.Request) throws(Failure) {
    let json = request.json
    if let question = json["ask"]?.string, Self.questions.contains(question) {
      ask(question, json["of"]?.members ?? [], request)
    } else if let track = json["days"].flatMap(MapTrack.init(days:)) {
      read(track, request)
    } else if let region = json["register"] {
      try daemon.register(region, request)
    } else if let identifier = json["remove"]?.string {
      try daemon.remove(identifier, request)
    } else if let place = json["stand"] {
      try daemon.stand(place, request)
    } else {
      try helper.answer(
        request, MapAnswer.refused(Refusal(.invalidRequest, "The map knows no such wish."), in: say)
      )
    }
  }

  private func ask(_ question: String, _ given: [JSON.Member], _ request: MapHelper.Request) {
    var members = given
    if let locale, !Self.wordless.contains(question),
      !members.contains(where: { $0.key == "locale" })
    {
      members.append(.init(key: "locale", value: .string(locale)))
    }
    places.ask(question, .object(members), within: Self.placesPatience) { [unowned self] in
      switch $0 {
      case .success(let result):
        send { () throws(Failure) in
          try helper.answer(request, unread: result)
        }
      case .failure(let error): fail(request, error, "noPlaces", of: .places, at: paths.places)
      }
    }
  }

  /// Page by page, to the end.
  private func read(_ track: MapTrack, _ request: MapHelper.Request) {
    let call = track.call
    tracker.ask(call.method, call.parameters, within: Self.trackerPatience) { [unowned self] in
      switch $0.flatMap({ call.read($0) }) {
      case .success(.entries(let page)):
        if track.hasRest(after: page) { return read(track, request) }
        send { () throws(Failure) in try helper.answer(request, track.append) }
      case .success: break
      case .failure(let error): fail(request, error, "noTracker", of: .tracker, at: paths.tracker)
      }
    }
  }

  private func fail(
    _ request: MapHelper.Request, _ error: ClientError, _ kind: String, of peer: Peer,
    at path: String
  ) {
    let answer =
      switch error {
      case .refused(let refusal): MapAnswer.refused(refusal, in: say)
      case .lost(let error): MapAnswer.unanswered(kind, peer.message(error, at: path), in: say)
      }
    send { () throws(Failure) in try helper.answer(request, answer) }
  }

  private func send(_ body: () throws(Failure) -> Void) {
    do throws(Failure) { try body() } catch { failure = error }
  }
}

enum MapAnswer {
  /// Of a request that is met without words.
  static let done: JSON = ["result": [:]]

  /// The answer to a request that cannot be met.
  static func refused(_ refusal: Refusal, in say: Speech = .english) -> JSON {
    unanswered(refusal.code.name, refusal.message, in: say)
  }

  static func unanswered(
    _ kind: String, _ sentence: String, in say: Speech = .english
  ) -> JSON {
    ["error": ["kind": .string(kind), "text": .string(say(said: sentence).plain())]]
  }
}
