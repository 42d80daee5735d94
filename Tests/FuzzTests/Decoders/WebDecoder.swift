import LocationModel

@testable import PlaceCore

extension Decoder {
  /// Requests of HTTP's clients for places and ways, and the answers.
  static var web: Decoder {
    let requests = [
      "/search?q=Rue A&limit=3&countrycodes=mc,fr&viewbox=7,43,8,44&bounded=1&format=geojson\nko,en;q=0.5",
      "/search?city=a&city=&q=&limit=1&limit=\n",
      "/search?street=1 A&city=B&state=C&country=D&postalcode=1&featureType=city&layer=poi,natural\n",
      "/reverse?lat=43.7&lon=7.4&zoom=10&format=geocodejson&addressdetails=0\nfr-CH",
      "/lookup?osm_ids=W23,N42,R1&format=json&extratags=1&namedetails=1\n", "/status?format=json\n",
      "/photon/api?q=a&lat=43.7&lon=7.4&bbox=7,43,8,44&osm_tag=place:!city&layer=house&lang=de\n",
      "/photon/reverse?lat=43.7&lon=7.4&radius=3&limit=5&distance_sort=true\n",
      "/route/v1/driving/7.4,43.7;7.5,43.8;7.6,43.9.json?steps=true&overview=full&exclude=ferry\n",
      "/route/v1/foot/7.4,43.7;7.5,43.8?geometries=geojson&alternatives=3&annotations=false\n",
    ]
    return Decoder(
      name: "web",
      words: extremes + [
        "/search", "/reverse", "/lookup", "/photon/api", "/photon/reverse", "/route/v1/",
        "driving/",
        "?", "&", "=", ";", ",", "q=", "lat=", "lon=", "format=", "viewbox=", "osm_ids=",
        "osm_tag=",
        "limit=", "zoom=", "radius=", "geometries=polyline6", "overview=false", "accept-language=",
        ";q=0.1", "nan", "inf", "-0", "180,90", "!", ":", ".json", ".php",
      ],
      seeds: requests.map { [UInt8](0, $0) }
    ) { input in
      let lines = String(decoding: input.choice.1, as: UTF8.self)
        .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let parts = (lines.first ?? "").split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
        let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (name: String(words[0]), value: words.count > 1 ? String(words[1]) : "")
      }
      let path = String(parts.first ?? "")
      do throws(WebRefusal) {
        answer(
          try WebAddress.question(
            path, pairs, acceptLanguage: lines.count > 1 ? String(lines[1]) : nil))
      } catch {
        let answer = WebDialect(path).answer(error)
        check(answer.status >= 400, "an error is none")
        check((try? JSON(parsing: answer.body)) != nil, "an error cannot be read")
      }
    }
  }

  private static func answer(_ question: any WebQuestion) {
    check(question.requests.count <= 50, "it asks too much")
    for request in question.requests {
      check((0...PlaceRequest.mostResults).contains(request.options.limit), "it wants too many")
      check(request.options.near?.isValid ?? true, "it is near nowhere")
      check(request.locale?.utf8.count ?? 0 <= 4096, "a language is too long")
      switch request {
      case .geocode(let request):
        check(request.text.utf8.count <= PlaceRequest.longestText, "a text is too long")
      case .reverseGeocode(let request): check(request.coordinate.isValid, "it is nowhere")
      case .directions(let request):
        check(request.places.allSatisfy(\.isValid), "an end is nowhere")
        check(request.via.count <= DirectionsRequest.mostVia, "there are too many stops")
      default: break
      }
    }
    let findings: [Result<PlaceFinding, Refusal>] = question.requests.map { request in
      if case .directions(let request) = request { return .success(.ways([way(request)], request)) }
      return .success(.reply(.placemarks([place])))
    }
    for findings in [findings, [], [.failure(Refusal(.failed, "a"))]] {
      let answer = question.answer(findings, [])
      let isText = answer.type.hasPrefix("text/")
      check(isText || (try? JSON(parsing: answer.body)) != nil, "an answer cannot be read")
    }
  }

  private static var place: Placemark {
    var mark = Placemark(Coordinate(latitude: 43.7, longitude: 7.4))
    (mark.name, mark.thoroughfare, mark.locality) = ("A", "B", "C")
    (mark.country, mark.isoCountryCode, mark.osmTag) = ("D", "MC", "amenity=cafe")
    return mark.measured
  }

  private static func way(_ request: DirectionsRequest) -> Way {
    Way(
      polyline: request.places,
      moves: [Move(.depart(bearing: 0), start: 0)]
        + request.via.indices.map { Move(.via, street: "A", start: $0 + 1) }
        + [Move(.arrive(nil), start: request.places.count - 1)], duration: 9, engine: "locationd")
  }
}
