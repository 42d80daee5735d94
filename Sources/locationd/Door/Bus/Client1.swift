import DBus
import LocationCore
import LocationModel
import Platform

/// `org.locationd.Client1`: a client object, as its owner sees it. A row for each thing it can do.
enum Client1 {
  static let name = "org.locationd.Client1"

  static let interface = BusInterface(
    name,
    methods: [
      updates("StartUpdatingLocation", \.isUpdating, true) { .startUpdatingLocation($0.wishes) },
      updates("StopUpdatingLocation", \.isUpdating, false) { _ in .stopUpdatingLocation },
      updates("StartUpdatingHeading", \.isUpdatingHeading, true) {
        .startUpdatingHeading($0.headingWishes)
      },
      updates("StopUpdatingHeading", \.isUpdatingHeading, false) { _ in .stopUpdatingHeading },
      BusMethod("RequestLocation") { (client: ClientObject, call) throws(BusError) in
        client.askForLocation(
          OneShotRequest(desiredAccuracy: client.wishes.desiredAccuracy), for: call)
        return nil
      },
    ] + useMethods + monitoringMethods + rangingMethods,
    properties: [
      BusProperty("App", "s") { (client: ClientObject) in
        .string(client.caller.caller.app)
      },
      BusProperty("AuthorizationStatus", "s") { (client: ClientObject) in
        .string(client.authorization.rawValue)
      },
      BusProperty("AccuracyAuthorization", "s") { (client: ClientObject) in
        .string(client.accuracy.rawValue)
      },
      BusProperty("Location", "a{sv}", .untold) { (client: ClientObject) in
        client.location?.busValue ?? .dictionary([:])
      },
      BusProperty("Heading", "a{sv}", .untold) { (client: ClientObject) in
        client.heading?.busValue ?? .dictionary([:])
      },
      wish("DesiredAccuracy", \.wishes.desiredAccuracy) { $0 >= 0 || $0 == -1 || $0 == -2 },
      wish("DistanceFilter", \.wishes.distanceFilter) { $0 >= 0 || $0 == -1 },
      wish("HeadingFilter", \.headingWishes.headingFilter) { (0...360).contains($0) || $0 == -1 },
    ] + monitoringProperties,
    signals: [
      .init(
        "DidUpdateLocations",
        [.init("locations", "aa{sv}"), .init("service", "s"), .init("event", "t")]),
      .init("DidUpdateHeading", [.init("heading", "a{sv}")]),
      .init("DidChangeAuthorization", [.init("authorization", "s"), .init("accuracy", "s")]),
      .init("DidFail", [.init("code", "i"), .init("message", "s")]),
    ] + monitoringSignals + rangingSignals)

  /// The properties that an authorization is told by.
  static let authorization = ["AuthorizationStatus", "AccuracyAuthorization"]

  /// Begins updates or ends them; `flag` remembers which. A start that is refused begins nothing.
  private static func updates(
    _ name: String, _ flag: any ReferenceWritableKeyPath<ClientObject, Bool> & Sendable,
    _ isOn: Bool, _ request: @escaping @Sendable (ClientObject) -> Request
  ) -> BusMethod {
    BusMethod(name) { (client: ClientObject, call) throws(BusError) in
      let wasOn = client[keyPath: flag]
      client[keyPath: flag] = isOn
      client.ask(request(client), for: call) { [unowned client] in
        if !wasOn { client[keyPath: flag] = false }
      }
      return nil
    }
  }

  /// A number that can be changed while locations are updated, too.
  private static func wish(
    _ name: String, _ place: any ReferenceWritableKeyPath<ClientObject, Double> & Sendable,
    where isPossible: @escaping @Sendable (Double) -> Bool
  ) -> BusProperty {
    BusProperty(
      name, "d", get: { (client: ClientObject) in .double(client[keyPath: place]) },
      set: { (client, _, value) throws(BusError) in
        guard let number = value.asDouble, number.isFinite, isPossible(number) else {
          throw BusError(Refusal(.invalidParameters, "\(name) is not a possible number."))
        }
        client[keyPath: place] = number
        client.wishAgain()
        client.changed([name])
      })
  }

  static func signal(
    _ member: StaticString, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) -> BusSignal {
    try BusSignal("org.locationd.Client1", member, body)
  }

  private static let locationsKind = BusSignalKind(
    "org.locationd.Client1", "DidUpdateLocations", "aa{sv}st")
  private static let headingKind = BusSignalKind(
    "org.locationd.Client1", "DidUpdateHeading", "a{sv}")

  static func signal(_ event: Event, _ number: UInt64) throws(BusError) -> BusSignal {
    switch event {
    case .didUpdateLocations(let location, let service):
      try BusSignal(locationsKind) { (body) throws(BusError) in
        try body.array(of: "a{sv}") { (locations) throws(BusError) in
          try locations.dictionary { (entries) throws(BusError) in
            try location.write(into: &entries)
          }
        }
        try body.string(service.rawValue)
        try body.uint64(number)
      }
    case .didUpdateHeading(let heading):
      try BusSignal(headingKind) { (body) throws(BusError) in
        try body.dictionary { (entries) throws(BusError) in try heading.write(into: &entries) }
      }
    case .didChangeAuthorization(let authorization, let accuracy):
      try signal("DidChangeAuthorization") { (body) throws(BusError) in
        try body.string(authorization.rawValue)
        try body.string(accuracy.rawValue)
      }
    case .didFail(let refusal):
      try signal("DidFail") { (body) throws(BusError) in
        try body.int32(Int32(refusal.code.number))
        try body.string(refusal.busMessage)
      }
    case .didRangeBeacons(let constraint, let beacons): try rangingSignal(constraint, beacons)
    case .rangingDidFail(let constraint, let refusal): try rangingSignal(constraint, refusal)
    case .didStartAdvertising: try signal("DidStartAdvertising") { _ in }
    case .advertisingDidFail(let refusal):
      try signal("AdvertisingDidFail") { (body) throws(BusError) in
        try body.int32(Int32(refusal.code.number))
        try body.string(refusal.busMessage)
      }
    default: try monitoringSignal(event, number)
    }
  }
}
