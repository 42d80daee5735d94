/// Options of questions about places; each method takes some of them.
package struct PlaceOptions: Equatable, Sendable {
  /// A BCP 47 tag, or POSIX's words for one; nil for the place's own language.
  package var locale: String?
  /// Places near it come first.
  package var near: Coordinate?
  package var limit = 0
  /// Only from the disk: no server is asked.
  package var offline = false
}

/// A question with options.
package protocol PlaceQuestion: Equatable, Sendable {
  var options: PlaceOptions { get set }
}

extension PlaceQuestion {
  package var locale: String? {
    get { options.locale }
    set { options.locale = newValue }
  }

  package var near: Coordinate? {
    get { options.near }
    set { options.near = newValue }
  }

  package var limit: Int {
    get { options.limit }
    set { options.limit = newValue }
  }

  package var offline: Bool {
    get { options.offline }
    set { options.offline = newValue }
  }
}

extension PlaceQuestion {
  fileprivate func with(_ options: PlaceOptions) -> Self {
    var question = self
    question.options = options
    return question
  }
}

/// The question for the places of a text.
package struct GeocodeRequest: PlaceQuestion {
  package var text: String
  package var options = PlaceOptions(limit: 5)
  /// Two letters: only places there.
  package var country: String?
  /// The text is being typed: its last word may be the beginning of one. Not sent.
  package var isTyped = false

  package init(_ text: String) { self.text = text }
}

/// The question for the names of a place.
package struct ReverseRequest: PlaceQuestion {
  package var coordinate: Coordinate
  package var options = PlaceOptions()

  package init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

/// The end of what somebody types.
package struct CompletionRequest: PlaceQuestion {
  package var text: String
  package var options = PlaceOptions(limit: 8)

  package init(_ text: String) { self.text = text }
}

package struct SearchRequest: PlaceQuestion {
  package enum Query: Equatable, Sendable {
    case text(String)
    /// That of a completion, or of a place found earlier.
    case id(String)
  }

  package var query: Query
  package var options = PlaceOptions(limit: 10)
  /// Metres around `near`: only places there.
  package var radius: Double?
  package var category: String?

  package init(_ query: Query) { self.query = query }
}

/// The question for the lines of the streets in a box, to draw them.
package struct StreetsRequest: PlaceQuestion {
  package var south = 0.0
  package var west = 0.0
  package var north = 0.0
  package var east = 0.0
  /// Only the disk has them.
  package var options = PlaceOptions(offline: true)

  /// Degrees between two sides.
  package static let widest = 0.25
}

/// The question for the ground of a tile of web maps, to draw it.
package struct TileRequest: PlaceQuestion {
  package var level = 0
  /// From the west, and from the north.
  package var x = 0
  package var y = 0
  /// Only the disk has it.
  package var options = PlaceOptions(offline: true)

  static let highestLevel = 20
}

extension TileRequest {
  func check() throws(Refusal) {
    guard max(x, y) < 1 << level else {
      throw Refusal(.invalidParameters, "A level has 2 to the power of its number of tiles a side.")
    }
  }
}

extension ReverseRequest {
  func check() throws(Refusal) {
    guard coordinate.isValid else {
      throw Refusal(.invalidParameters, "latitude and longitude lie nowhere on the Earth.")
    }
  }
}

extension StreetsRequest {
  func check() throws(Refusal) {
    guard (0...Self.widest).contains(north - south), (0...Self.widest).contains(east - west)
    else {
      throw Refusal(
        .invalidParameters, "A box of streets has at most \(Self.widest) degrees a side.")
    }
  }
}

extension PlaceRequest {
  package static let longestText = 1024
  package static let mostResults = 50

  package var options: PlaceOptions {
    get {
      switch self {
      case .geocode(let request): request.options
      case .reverseGeocode(let request): request.options
      case .complete(let request): request.options
      case .search(let request): request.options
      case .directions(let request): request.options
      case .streets(let request): request.options
      case .tile(let request): request.options
      case .geolocate(let request): request.options
      case .status: PlaceOptions(offline: true)
      }
    }
    set {
      switch self {
      case .geocode(let request): self = .geocode(request.with(newValue))
      case .reverseGeocode(let request): self = .reverseGeocode(request.with(newValue))
      case .complete(let request): self = .complete(request.with(newValue))
      case .search(let request): self = .search(request.with(newValue))
      case .directions(let request): self = .directions(request.with(newValue))
      case .streets(let request): self = .streets(request.with(newValue))
      case .tile(let request): self = .tile(request.with(newValue))
      case .geolocate(let request): self = .geolocate(request.with(newValue))
      case .status: break
      }
    }
  }

  package var locale: String? { options.locale }

  /// The disk alone answers.
  package var isOffline: Bool { options.offline }
}
