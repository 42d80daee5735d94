import LocationModel

@testable import PlaceCore

extension Decoder {
  /// Servers that find ways: OSRM and Valhalla.
  static var engines: Decoder {
    let osrm =
      #"{"code":"Ok","waypoints":[{"distance":9}],"routes":[{"duration":33.5,"legs":[{"steps":["#
      + #"{"maneuver":{"type":"depart","bearing_after":68},"name":"A","mode":"driving","#
      + #""geometry":{"coordinates":[[8,50],[8.001,50.001]]}},"#
      + #"{"maneuver":{"type":"rotary","exit":2},"ref":"D1","mode":"ferry","#
      + #""geometry":{"coordinates":[[8.001,50.001],[8.002,50.001]]}},"#
      + #"{"maneuver":{"type":"arrive","modifier":"right"},"#
      + #""geometry":{"coordinates":[[8.002,50.001],[8.002,50.001]]}}]}]}]}"#
    let valhalla =
      #"{"trip":{"summary":{"time":42.5},"legs":[{"shape":"_czw~A_gjbNgpg@g{K_{K~{K","maneuvers":["#
      + #"{"type":1,"begin_shape_index":0,"street_names":["A"],"bearing_after":10},"#
      + #"{"type":26,"roundabout_exit_count":2,"begin_shape_index":1,"toll":true},"#
      + #"{"type":4,"begin_shape_index":1}]}]},"alternates":[{"trip":{}}]}"#
    let refusals = [
      [UInt8](0, #"{"code":"NoSegment","message":"for coordinate 1"}"#),
      [UInt8](0, #"{"code":"NoRoute"}"#), [UInt8](1, #"{"error_code":171}"#),
    ]
    return Decoder(
      name: "engines",
      words: extremes + [
        #""code":"Ok""#, #""waypoints":["#, #""distance":"#, #""routes":["#, #""duration":"#,
        #""legs":["#, #""steps":["#, #""coordinates":["#, #""maneuver":{"#, #""exit":"#,
        #""shape":""#, #""maneuvers":["#, #""begin_shape_index":"#, #""time":"#, #""type":"#,
        #""error_code":"#, "null", "{", "}", "[", "]", "[8,50],", "[180,90]",
      ],
      seeds: [[UInt8](0, osrm), [UInt8](5, valhalla)] + refusals
    ) { input in
      let (choice, bytes) = input.choice
      var request = DirectionsRequest(
        from: Coordinate(latitude: 50, longitude: 8),
        to: Coordinate(latitude: 50.001, longitude: 8.002))
      request.transport = Transport.allCases[Int(choice >> 2 & 3) % 3]
      let kind = choice & 1 == 0 ? "osrm" : "valhalla"
      let answer = (try? RoutingServer("\(kind):http://127.0.0.1/"))?.answer(bytes, to: request)
      _ = answer?.refusal(request)
      guard case .ways(let ways) = answer else { return }
      let languages = ["ko-KR", "de", "ja", "fr", "es-MX", "ar", "zh-Hant", nil]
      let language = languages[Int(choice >> 5)].flatMap { Language($0) }
      for way in ways {
        tell(way.route(request.transport, in: language))
        tell(way.thinned(to: 2).route(request.transport, in: language))
      }
    }
  }

  private static func tell(_ route: Route) {
    check(route.distance.isFinite && route.expectedTravelTime.isFinite, "no figure")
    check(route.distance >= 0 && route.expectedTravelTime >= 0, "less than nothing")
    check(route.polyline.count > 1 && route.polyline.allSatisfy(\.isValid), "it leads nowhere")
    for step in route.steps {
      check(!step.polyline.isEmpty, "a step is nowhere")
      check(step.instructions.plain() == step.instructions, "a step is not one plain line")
    }
    check(route.name.plain() == route.name, "its name is not one plain line")
    let again = (try? JSON(parsing: route.json.text)).flatMap(Route.init)
    check(again?.steps.count == route.steps.count, "another route")
  }
}
