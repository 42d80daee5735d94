import LocationModel

/// The words of a kind of server.
package enum WebDialect: Sendable {
  case nominatim, photon, osrm

  /// The dialect of an address.
  package init(_ path: String) {
    self =
      path.hasPrefix("/photon/") ? .photon : path.hasPrefix("/route/") ? .osrm : .nominatim
  }

  /// An error in its words.
  package func answer(_ refusal: WebRefusal) -> WebAnswer {
    let message = JSON.string(refusal.message)
    return switch self {
    case .nominatim:
      WebAnswer(
        refusal.status,
        json: ["error": ["code": .integer(Int64(refusal.status)), "message": message]])
    case .photon: WebAnswer(refusal.status, json: ["message": message])
    case .osrm:
      WebAnswer(refusal.status, json: ["code": .string(refusal.code), "message": message])
    }
  }
}

/// The addresses of the web clients' questions.
package enum WebAddress {
  /// The question of a request. `path`: without the query.
  package static func question(
    _ path: String, _ pairs: [(name: String, value: String)], acceptLanguage: String? = nil
  ) throws(WebRefusal) -> any WebQuestion {
    let parameters = try WebParameters(pairs, acceptLanguage: acceptLanguage)
    // Nominatim once had names of files.
    let name = path.hasSuffix(".php") ? String(path.dropLast(4)) : path
    switch name {
    case "/search": return try NominatimSearch(parameters)
    case "/reverse": return try NominatimReverse(parameters)
    case "/lookup": return try NominatimLookup(parameters)
    case "/status": return try NominatimStatus(parameters)
    case "/photon/api", "/photon/api/": return try PhotonQuestion(searching: parameters)
    case "/photon/reverse", "/photon/reverse/": return try PhotonQuestion(reversing: parameters)
    default:
      guard path.hasPrefix(ways) else {
        throw WebRefusal(
          "There is nothing at this address.", status: 404, code: "InvalidUrl")
      }
      return try OSRMQuestion(path.dropFirst(ways.count), parameters)
    }
  }

  private static let ways = "/route/v1/"
}
