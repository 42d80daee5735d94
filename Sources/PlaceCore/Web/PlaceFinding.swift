package import LocationModel

/// The places or ways that the service has found.
package enum PlaceFinding {
  case reply(PlaceReply)
  case ways([Way], DirectionsRequest)

  /// In the words of the other doors.
  package var reply: PlaceReply {
    switch self {
    case .reply(let reply): reply
    case .ways(let ways, let request): .routes(request.routes(of: ways))
    }
  }

  /// There is something in it.
  package var isFound: Bool {
    switch self {
    case .reply(let reply): !reply.found.isEmpty
    case .ways(let ways, _): !ways.isEmpty
    }
  }

  var places: [Placemark] {
    if case .reply(let reply) = self { reply.found } else { [] }
  }
}
