import DBus
import LocationModel
import Platform

/// `org.freedesktop.GeoClue2` as published: its interfaces, a row for each thing.
enum GeoClue {
  static let name = "org.freedesktop.GeoClue2"
  static let manager = name + ".Manager"
  static let client = name + ".Client"
  static let root = "/org/freedesktop/GeoClue2"

  static let managerInterface = BusInterface(
    manager,
    methods: [
      BusMethod("GetClient", out: [.init("client", "o")]) {
        (door: GeoClueDoor, call) throws(BusError) in
        door.welcome(call) { (caller) throws(BusError) in
          if let client = door.clients(of: caller.name).first { return [.path(client.path)] }
          return [.path(try door.makeClient(of: caller).path)]
        }
        return nil
      },
      BusMethod("CreateClient", out: [.init("client", "o")]) {
        (door: GeoClueDoor, call) throws(BusError) in
        door.welcome(call) { (caller) throws(BusError) in
          [.path(try door.makeClient(of: caller).path)]
        }
        return nil
      },
      BusMethod("DeleteClient", in: [.init("client", "o")]) {
        (door: GeoClueDoor, call) throws(BusError) in
        let path = call.arguments[0].asString
        guard let client = door.clients(of: call.sender).first(where: { $0.path == path }) else {
          throw .accessDenied("\(path ?? "") is no client of yours")
        }
        door.remove(client)
        return []
      },
      BusMethod("AddAgent", in: [.init("id", "s")]) { (door: GeoClueDoor, call) throws(BusError) in
        door.addAgent(call)
        return nil
      },
    ],
    properties: [
      BusProperty("InUse", "b") { (door: GeoClueDoor) in .bool(door.isInUse) },
      BusProperty("AvailableAccuracyLevel", "u") { (door: GeoClueDoor) in
        .uint32(door.availableLevel.rawValue)
      },
    ])

  static let clientInterface = BusInterface(
    client,
    methods: [
      BusMethod("Start") { (client: GeoClueClient, call) throws(BusError) in
        client.start(for: call)
        return nil
      },
      BusMethod("Stop") { (client: GeoClueClient, _) throws(BusError) in
        client.stop()
        return []
      },
    ],
    properties: [
      BusProperty("Location", "o") { (client: GeoClueClient) in
        .path(client.told.newest?.path ?? "/")
      },
      setting("DistanceThreshold", \.distanceThreshold),
      setting("TimeThreshold", \.timeThreshold),
      BusProperty(
        "DesktopId", "s",
        get: { (client: GeoClueClient) in .string(client.desktopID) },
        set: { (client, _, value) throws(BusError) in
          guard let text = value.asString, text.utf8.count <= 256 else {
            throw .invalidArguments("a desktop ID has at most 256 bytes")
          }
          client.desktopID = text
          client.changed("DesktopId")
        }),
      setting("RequestedAccuracyLevel", \.wishedLevel),
      BusProperty("Active", "b") { (client: GeoClueClient) in .bool(client.isActive) },
    ],
    signals: [.init("LocationUpdated", [.init("old", "o"), .init("new", "o")])])

  private static func setting(
    _ name: String,
    _ place: any ReferenceWritableKeyPath<GeoClueClient, UInt32> & Sendable
  ) -> BusProperty {
    BusProperty(
      name, "u", get: { (client: GeoClueClient) in .uint32(client[keyPath: place]) },
      set: { (client, _, value) throws(BusError) in
        client[keyPath: place] = value.asUInt32 ?? 0
        client.changed(name)
      })
  }

  private static let locationUpdated = BusSignalKind(
    "org.freedesktop.GeoClue2.Client", "LocationUpdated", "oo")

  /// From the location before, or `/`, to the new one.
  static func updated(
    from old: ToldLocation?, to new: ToldLocation
  ) throws(BusError) -> BusSignal {
    try BusSignal(locationUpdated) { (body) throws(BusError) in
      if let old {
        try body.path(ToldLocation.folder, old.number)
      } else {
        try body.path("/")
      }
      try body.path(ToldLocation.folder, new.number)
    }
  }

  static func changed(to newest: ToldLocation) throws(BusError) -> BusSignal {
    try BusSignal(
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(client), .dictionary(["Location": .path(newest.path)]), .strings([])])
  }

  static let locationInterface = BusInterface(
    name + ".Location",
    properties: [
      location("Latitude") { $0.coordinate.latitude },
      location("Longitude") { $0.coordinate.longitude },
      location("Accuracy") { $0.horizontalAccuracy },
      location("Altitude") { $0.altitude ?? -Double.greatestFiniteMagnitude },
      location("Speed") { $0.speed ?? -1 },
      location("Heading") { $0.course ?? -1 },
      BusProperty("Description", "s", .constant) { (told: ToldLocation) in
        .string(told.location.source)
      },
      BusProperty("Timestamp", "(tt)", .constant) { (told: ToldLocation) in
        let moment = max(told.location.timestamp.microseconds, 0)
        return .structure([
          .uint64(UInt64(moment / 1_000_000)), .uint64(UInt64(moment % 1_000_000)),
        ])
      },
    ])

  private static func location(
    _ name: String, _ number: @escaping @Sendable (Location) -> Double
  ) -> BusProperty {
    BusProperty(name, "d", .constant) { (told: ToldLocation) in .double(number(told.location)) }
  }
}
