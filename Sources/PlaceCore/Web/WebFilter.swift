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
    case address, poi, railway, natural, manmade
  }

  private static let ranks = [
    "country": 4...4, "state": 8...8, "city": 14...18, "settlement": 8...20,
  ]

  init(nominatim parameters: WebParameters) throws(WebRefusal) {
    // Nominatim passes over words that are no codes.
    countries = Set(parameters.list("countrycodes").map { $0.uppercased() }.filter(Self.isCode))
    box = try parameters.box(parameters.text("viewbox") != nil ? "viewbox" : "viewboxlbrt")
    isBound = parameters.truth("bounded")
    let ids = parameters.list("exclude_place_ids")
    if let id = ids.first(where: { !Self.isNumber($0.uppercased()) }) {
      throw WebRefusal("Invalid exclude ID: \(id.plain(atMost: 64))")
    }
    excluded = Set(ids.map { $0.uppercased() })
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

  private static func isCode(_ word: String) -> Bool {
    word.utf8.count == 2 && word.utf8.allSatisfy { 0x41...0x5A ~= $0 }
  }

  /// `4711`, or OpenStreetMap's `W23`.
  private static func isNumber(_ id: String) -> Bool {
    let digits = "NWR".contains(id.first ?? " ") ? id.dropFirst() : id[...]
    return !digits.isEmpty && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
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
