import LocationModel

@testable import PlaceCore

extension Decoder {
  /// Programs that find ways: OSRM, Valhalla and routino.
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
    let routino = """
      # Creator
       50.000000\t 8.000000\t-1 \tWaypt#1\t0.000\t0.00\t0.00\t0.0\t\t\t
       50.001000\t 8.001000\t 6*\tJunct\t0.087\t0.11\t0.09\t0.1\t130\t 68\tA (~)
       50.001000\t 8.001500\t 7 \tInter\t0.099\t0.12\t0.19\t0.2\t130\t158\tB (b) ~ 8 (~rt)
       50.001000\t 8.002000\t 8*\tWaypt#2\t0.027\t0.03\t0.21\t0.3\t130\t 54\t~osu

      """
    let refusals = [
      [UInt8](0, #"{"code":"NoSegment","message":"for coordinate 1"}"#),
      [UInt8](0, #"{"code":"NoRoute"}"#), [UInt8](1, #"{"error_code":171}"#),
      [UInt8](3, "Error: Cannot find node close to specified point 1.\n"),
    ]
    return Decoder(
      name: "engines",
      words: extremes + [
        #""code":"Ok""#, #""waypoints":["#, #""distance":"#, #""routes":["#, #""duration":"#,
        #""legs":["#, #""steps":["#, #""coordinates":["#, #""maneuver":{"#, #""exit":"#,
        #""shape":""#, #""maneuvers":["#, #""begin_shape_index":"#, #""time":"#, #""type":"#,
        #""error_code":"#, "Waypt#1", "Junct", "\t", "\n", "(~", "~o", "null", "{", "}", "[", "]",
        "Cannot find node close", "Cannot find", "[8,50],", "[180,90]",
      ],
      seeds: [[UInt8](0, osrm), [UInt8](5, valhalla), [UInt8](10, routino), [UInt8](26, routino)]
        + refusals
    ) { input in
      let (choice, bytes) = input.choice
      var request = DirectionsRequest(
        from: Coordinate(latitude: 50, longitude: 8),
        to: Coordinate(latitude: 50.001, longitude: 8.002))
      request.transport = Transport.allCases[Int(choice >> 2 & 3) % 3]
      let answer =
        switch choice & 3 {
        case 0: (try? RoutingServer("osrm:http://127.0.0.1/"))?.answer(bytes, to: request)
        case 1: (try? RoutingServer("valhalla:http://127.0.0.1/"))?.answer(bytes, to: request)
        case 2: Routino.answer(bytes, errors: [], status: 0, request.transport).checked(request)
        default: Routino.answer([], errors: bytes, status: 1, request.transport).checked(request)
        }
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
