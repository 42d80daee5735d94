import LocationModel

/// The client's wishes for the places that are found.
struct WebFilter {
  /// Two letters each, in upper case; none: all.
  var countries: Set<String> = []
  /// A wish, or a bound.
  var box: Box?
  var isBound = false
  var layers: Set<Layer>?
  var levels: ClosedRange<Int>?
  /// Numbers of places that the client has.
  var excluded: Set<String> = []

  /// Nominatim's layers.
  enum Layer: String, CaseIterable {
    case address, poi, railway, manmade, natural
  }

  private static let ranks = [
    "country": 4...4, "state": 8...8, "city": 14...18, "settlement": 8...20,
  ]

  init(nominatim parameters: WebParameters) throws(WebRefusal) {
    countries = Set(parameters.list("countrycodes").map { $0.uppercased() })
    box = try parameters.box(parameters.text("viewbox") != nil ? "viewbox" : "viewboxlbrt")
    isBound = parameters.truth("bounded")
    excluded = Set(parameters.list("exclude_place_ids"))
    levels = parameters.text("featureType").flatMap { Self.ranks[$0] }
    let names = parameters.list("layer")
    guard !names.isEmpty else { return }
    let layers = names.compactMap { Layer(rawValue: $0.lowercased()) }
    guard layers.count == names.count else {
      throw WebRefusal(
        "Parameter 'layer' must be a comma-separated list of: "
          + Layer.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self.layers = Set(layers)
  }

  var near: Coordinate? { box?.middle }

  /// Each place is wanted.
  var isOpen: Bool {
    countries.count <= 1 && !isBound && layers == nil && levels == nil && excluded.isEmpty
  }

  var wantsThings: Bool { layers.map { $0 != [.address] } ?? true }
  var wantsAddresses: Bool { layers?.contains(.address) ?? true }

  func allows(_ place: WebPlace) -> Bool {
    if !countries.isEmpty, !countries.contains(place.mark.isoCountryCode ?? "") { return false }
    if isBound, let box, !box.holds(place.mark.coordinate) { return false }
    if let levels, !levels.contains(place.rank) { return false }
    if let layers, !layers.contains(place.layer) { return false }
    if excluded.isEmpty { return true }
    let number = place.mark.osmNumber.map { number in
      "\(place.mark.osmType?.prefix(1).uppercased() ?? "")\(number)"
    }
    return !excluded.contains("\(place.number)") && !excluded.contains(number ?? "")
  }
}

extension WebPlace {
  fileprivate var layer: WebFilter.Layer {
    switch (level, key) {
    case (.thing, "railway"), (.thing, "public_transport"): .railway
    case (_, "natural"), (_, "waterway"), (.feature, "place"): .natural
    case (_, "man_made"), (_, "aeroway"): .manmade
    case (.thing, "place"): .address
    case (.thing, _), (.feature, _): .poi
    default: .address
    }
  }
}
