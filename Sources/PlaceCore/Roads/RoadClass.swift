import LocationModel

/// What a value of OpenStreetMap's `highway` says of a road, where no other tag does.
struct RoadClass {
  /// The values that mean it.
  var values: [String]
  /// routino's name for it, which has fewer.
  var name: String
  /// Kilometres an hour of a car where nothing limits it, traffic and bends counted; nil where cars are not let in.
  var speed: Int?
  /// Where it is paved with nothing.
  var roughSpeed: Int? { speed.map { min($0, 30) } }
  var isForFeet = true
  var isForBicycles = true
  var isOneWay = false
  var mark: RoadMark?
}

extension RoadClass {
  /// Ordinary speeds, as other engines assume them.
  static let all = [
    RoadClass(
      values: ["motorway"], name: "motorway", speed: 90, isForFeet: false, isForBicycles: false,
      isOneWay: true),
    RoadClass(
      values: ["motorway_link"], name: "motorway", speed: 46, isForFeet: false,
      isForBicycles: false, mark: .ramp),
    RoadClass(values: ["trunk"], name: "trunk", speed: 84),
    RoadClass(values: ["trunk_link"], name: "trunk", speed: 40, mark: .ramp),
    RoadClass(values: ["primary"], name: "primary", speed: 64),
    RoadClass(values: ["primary_link"], name: "primary", speed: 30),
    RoadClass(values: ["secondary"], name: "secondary", speed: 54),
    RoadClass(values: ["secondary_link"], name: "secondary", speed: 24),
    RoadClass(values: ["tertiary"], name: "tertiary", speed: 40),
    RoadClass(values: ["tertiary_link"], name: "tertiary", speed: 20),
    RoadClass(values: ["unclassified", "road"], name: "unclassified", speed: 24),
    RoadClass(values: ["residential"], name: "residential", speed: 24),
    RoadClass(values: ["living_street"], name: "residential", speed: 10),
    RoadClass(values: ["service"], name: "service", speed: 14),
    RoadClass(values: ["track"], name: "track", speed: nil),
    RoadClass(values: ["cycleway"], name: "cycleway", speed: nil),
    RoadClass(values: ["path"], name: "path", speed: nil),
    RoadClass(
      values: ["footway", "pedestrian", "bridleway", "corridor"], name: "path", speed: nil,
      isForBicycles: false),
    RoadClass(values: ["steps"], name: "steps", speed: nil, isForBicycles: false, mark: .stairs),
    RoadClass(values: ["ferry"], name: "ferry", speed: 20, mark: .ferry),
  ]
}

/// What is told of a road beside its name: a letter behind `~`, where routino looks for the road's number.
enum RoadMark: Character, CaseIterable {
  case ferry = "f"
  case ramp = "l"
  case roundabout = "o"
  case stairs = "s"
  case toll = "t"
  case unpaved = "u"
}

/// How fast people travel: kilometres an hour on each of routino's classes, none where they may not.
struct TravelProfile {
  /// routino's name for it.
  var name: String
  var speeds: [(road: String, speed: Int)]
  var obeysOneWay = true

  static let roads = [
    "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential",
    "service", "track", "cycleway", "path", "steps", "ferry",
  ]

  static func of(_ transport: Transport) -> TravelProfile {
    switch transport {
    // The speed of each road is in the roads' own file: it is the lower one that holds. This is four fifths of 140, the
    // most that a road has; routino looks the further around, the faster one might be.
    case .automobile:
      TravelProfile(
        name: "motorcar",
        speeds: roads.filter { !["cycleway", "path", "steps"].contains($0) }.map { ($0, 112) })
    case .walking:
      TravelProfile(
        name: "foot",
        speeds: roads.map { road in
          (road, road == "motorway" ? 0 : road == "steps" ? 3 : road == "ferry" ? 20 : 5)
        }, obeysOneWay: false)
    case .cycling:
      TravelProfile(
        name: "bicycle",
        speeds: roads.map { road in
          switch road {
          case "motorway", "steps": (road, 0)
          case "track", "path": (road, 12)
          case "ferry": (road, 20)
          default: (road, 16)
          }
        })
    }
  }
}
