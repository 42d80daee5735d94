package import LocationModel

/// A question of a web client, in the words of one of the dialects.
package protocol WebQuestion {
  /// Requests to the service. Where `wantsAll`, each is answered; else the first that has an answer counts.
  var requests: [PlaceRequest] { get }
  var wantsAll: Bool { get }
  /// `findings`: of each request that was put.
  func answer(_ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]) -> WebAnswer
}

extension WebQuestion {
  package var wantsAll: Bool { false }
}

/// An answer as it is sent.
package struct WebAnswer: Equatable, Sendable {
  package var status: Int
  package var type: String
  package var body: String

  init(_ status: Int = 200, text: String) {
    (self.status, type, body) = (status, "text/plain; charset=utf-8", text)
  }

  init(_ status: Int = 200, json: JSON) {
    (self.status, type) = (status, "application/json; charset=utf-8")
    body = json.text
  }
}

extension Refusal {
  /// Nothing is there: an answer like another.
  var isNothing: Bool { code == .geocodeFoundNoResult || code == .geocodeFoundPartialResult }
}

extension [Result<PlaceFinding, Refusal>] {
  /// All places in their order.
  var places: [Placemark] { flatMap { (try? $0.get())?.places ?? [] } }

  /// The failure of a question of which nothing is found; nil where nothing is there.
  var trouble: WebRefusal? {
    guard places.isEmpty else { return nil }
    for case .failure(let refusal) in self where !refusal.isNothing { return WebRefusal(refusal) }
    return nil
  }
}
