package import LocationModel

/// How an app is started when an event is for it and it is gone.
package struct Launch: Hashable, Sendable {
  /// The manager that can start it.
  package enum Place: String, Sendable {
    /// The system's bus and service manager, which the daemon itself asks.
    case system
    /// Its user's, which that user's agent asks.
    case user
  }

  package var activation: Activation
  package var place: Place

  package init(_ activation: Activation, at place: Place) {
    self.activation = activation
    self.place = place
  }
}

extension Launch {
  var json: JSON {
    .object(activation.members + [.init(key: "place", value: .string(place.rawValue))])
  }

  init?(_ json: JSON) {
    guard let activation = Activation(json),
      let place = json["place"]?.string.flatMap(Place.init(rawValue:))
    else { return nil }
    self.init(activation, at: place)
  }
}

extension Caller {
  /// Whether that service is the one it runs in, so that starting it starts this app; and whose manager
  /// has it.
  func place(ofUnit name: String) -> Launch.Place? {
    guard AppName.isLasting(name) else { return nil }
    return switch unit {
    case .system(name): .system
    case .user(name): .user
    default: nil
    }
  }

  /// Whether somebody on a bus is this program: the same process, or, since a sandbox has its proxy in
  /// between, the same app, where that has a name of its own.
  package func isSameProgram(as other: Caller) -> Bool {
    guard uid == other.uid else { return false }
    return pid == other.pid && pid > 0 || app == other.app && kind != .user
  }
}
