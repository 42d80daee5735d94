/// How a place is known. The name of its source says it on the wire.
package enum PlaceKind: String, CaseIterable, Sendable {
  /// A receiver says it now.
  case receiver
  /// The Wi-Fi networks around say it, where receivers have taught their places.
  case wifi
  /// A named server knows the networks around.
  case askedNetworks = "server-wifi"
  /// A named server knows the cell.
  case askedCells = "server-cells"
  /// A person has said that the machine stands there.
  case set
  /// A receiver said it some time ago.
  case last
  /// The city of the machine's time zone.
  case zone

  /// Visits, regions, significant changes and the tracker believe it.
  package var isEvidence: Bool { self == .receiver || self == .wifi }

  /// The place is the machine's now, by what it receives; not remembered, set or guessed.
  package var isCurrent: Bool {
    switch self {
    case .set, .last, .zone: false
    default: true
    }
  }

  /// The name of a source of this kind.
  package func source(_ rest: String = "") -> String { "\(rawValue):\(rest)" }

  package init(source: String) {
    self =
      [Self.wifi, .askedNetworks, .askedCells, .set, .last, .zone].first {
        source.hasPrefix($0.rawValue) && source.dropFirst($0.rawValue.count).first == ":"
      } ?? .receiver
  }
}

extension Location {
  package var kind: PlaceKind { PlaceKind(source: source) }
}
