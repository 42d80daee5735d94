import Geodesy
package import LocationModel

/// OSRM's `/route/v1/PROFILE/LONGITUDE,LATITUDE;…`.
package struct OSRMQuestion: WebQuestion {
  private let request: DirectionsRequest
  private let form: OSRMForm
  private let options: OSRMOptions
  private let most: Int
  package var requests: [PlaceRequest] { [.directions(request)] }

  private static let profiles: [String: Transport] = [
    "driving": .automobile, "car": .automobile, "foot": .walking, "walking": .walking,
    "bike": .cycling, "cycling": .cycling, "bicycle": .cycling,
  ]
  private static let mostAlternatives = 3

  /// `path`: what follows `/route/v1/`.
  package init(_ path: Substring, _ parameters: WebParameters) throws(WebRefusal) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .url }
    guard let transport = Self.profiles[String(parts[0])] else {
      throw WebRefusal("Profile is one of driving, foot and bike.", code: "InvalidUrl")
    }
    var text = parts[1]
    if text.hasSuffix(".json") { text = text.dropLast(5) }
    let pairs = text.split(separator: ";", omittingEmptySubsequences: false)
    guard pairs.count >= 2 else {
      throw WebRefusal("Number of coordinates needs to be at least two.", code: "InvalidOptions")
    }
    guard pairs.count <= DirectionsRequest.mostVia + 2 else {
      throw WebRefusal("Too many trip coordinates", code: "TooBig")
    }
    let places = pairs.compactMap { pair -> Coordinate? in
      let numbers = pair.split(separator: ",", omittingEmptySubsequences: false)
        .map { Double(String($0)) }
      guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1] else {
        return nil
      }
      let place = Coordinate(latitude: latitude, longitude: longitude)
      return place.isValid ? place : nil
    }
    guard places.count == pairs.count, let first = places.first, let last = places.last else {
      throw .url
    }
    var request = DirectionsRequest(from: first, to: last)
    request.via = Array(places.dropFirst().dropLast())
    request.transport = transport
    most = try Self.alternatives(parameters["alternatives"]) + 1
    request.alternates = most > 1
    request.avoid = try Self.avoidances(parameters.list("exclude"))
    self.request = request
    form = try OSRMForm(parameters)
    options = try OSRMOptions(parameters, request)
  }

  private static func alternatives(_ text: String?) throws(WebRefusal) -> Int {
    switch text {
    case nil, "false": return 0
    case "true": return 1
    case let text?:
      guard let number = Int(text), (0...100).contains(number) else { throw .query }
      return min(number, mostAlternatives)
    }
  }

  private static func avoidances(_ names: [String]) throws(WebRefusal) -> Set<Avoidance> {
    var avoid: Set<Avoidance> = []
    for name in names {
      guard let word = OSRM.classes.first(where: { $0.value == name })?.key else {
        throw WebRefusal("Exclude flag combination is not supported.", code: "InvalidValue")
      }
      avoid.insert(word)
    }
    return avoid
  }

  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    switch findings.first {
    case .success(.ways(let ways, _))?:
      guard let first = ways.first else { return WebDialect.osrm.answer(.noRoute) }
      if let number = options.tooFar(MeasuredWay(first, request.places).snapped(request.places)) {
        return WebDialect.osrm.answer(.noSegment(number))
      }
      return WebAnswer(json: [
        "code": "Ok", "routes": .array(ways.prefix(most).map { form.route($0, request) }),
        "waypoints": form.waypoints(first, request),
      ])
    case .failure(let refusal)?: return WebDialect.osrm.answer(WebRefusal(refusal))
    default: return WebDialect.osrm.answer(.noRoute)
    }
  }
}
