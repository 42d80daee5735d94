import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Places over HTTP", .timeLimit(.minutes(60))) struct HTTPDoorTests {
  @Test("a street of an extract is found in Nominatim's words, with OpenStreetMap's number")
  func nominatim() throws {
    let web = try AskingWeb.ofMonaco()
    let found = try web.ask("/search?q=Rue+Grimaldi,+Monaco&addressdetails=1&limit=1")
    #expect(found.status == 200 && found.head.contains("application/json"))
    let place = try #require(found.json?.array?.first)
    #expect(place["address"]?["road"]?.string == "Rue Grimaldi")
    #expect(place["address"]?["country_code"]?.string == "mc")
    #expect(place["osm_type"]?.string == "way")
    let number = try #require(place["osm_id"]?.integer)
    let again = try web.ask("/lookup?osm_ids=W\(number)&addressdetails=0")
    #expect(again.json?.array?.first?["name"]?.string == "Rue Grimaldi", "\(again.body)")
    let here = try web.ask("/reverse?lat=43.7394&lon=7.4277&zoom=17")
    #expect(here.json?["address"]?["road"]?.string == "Place du Casino", "\(here.body)")
    #expect(try web.ask("/search?q=%E2%80%8Bzzqqxx").body == "[]")
    #expect(try web.ask("/status").body == "OK")
    #expect(try web.ask("/search?q=x&format=xml").status == 400)
    #expect(try web.ask("/favicon.ico").status == 404)
  }

  @Test("the same is found in Photon's words, and things around a place")
  func photon() throws {
    let web = try AskingWeb.ofMonaco()
    let found = try web.ask("/photon/api?q=Rue%20Grimaldi%20Monaco&limit=1&lang=fr")
    let properties = found.json?["features"]?.array?.first?["properties"]
    #expect(
      properties?["name"]?.string == "Rue Grimaldi" && properties?["type"]?.string == "street")
    let around = try web.ask("/photon/reverse?lat=43.7394&lon=7.4277&limit=5&radius=0.2")
    let features = try #require(around.json?["features"]?.array)
    #expect(features.count == 5, "\(around.body)")
    #expect(features.allSatisfy { $0["properties"]?["countrycode"]?.string == "MC" })
    #expect(try web.ask("/photon/api").status == 400)
    // A number, with its town or without a comma before it.
    for text in ["7%20Avenue%20Albert%20II,%20Monaco", "7%20avenue%20albert%20ii%20monaco"] {
      let house = try web.ask("/photon/api?q=\(text)&limit=1").json?["features"]?.array?.first
      #expect(house?["properties"]?["housenumber"]?.string == "7", "\(house?.text ?? "-")")
    }
    // As it is typed, letter by letter.
    for text in ["Rue%20Grima", "rue%20gri", "casin"] {
      let typed = try web.ask("/photon/api?q=\(text)&lat=43.739&lon=7.427&limit=5")
      let names = (typed.json?["features"]?.array ?? []).map {
        $0["properties"]?["name"]?.string ?? ""
      }
      let begun = text.contains("gri") || text.contains("Gri") ? "Grimaldi" : "Casino"
      #expect(names.contains { $0.contains(begun) }, "\(text): \(names)")
    }
  }

  @Test("a way is found in OSRM's words, and where there is none its codes say why")
  func ways() throws {
    let web = try AskingWeb.ofMonaco()
    for profile in ["driving", "foot", "bike"] {
      let way = try web.ask(
        "/route/v1/\(profile)/7.4197,43.7311;7.4277,43.7394?steps=true&geometries=geojson")
      let route = try #require(way.json?["routes"]?.array?.first, "\(way.body)")
      #expect(way.json?["code"]?.string == "Ok" && route["distance"]?.double ?? 0 > 800)
      let steps = try #require(route["legs"]?.array?.first?["steps"]?.array)
      #expect(steps.first?["maneuver"]?["type"]?.string == "depart")
      #expect(steps.last?["maneuver"]?["type"]?.string == "arrive")
    }
    let nowhere = try web.ask("/route/v1/driving/7.4197,43.7311;2.35,48.85")
    #expect(nowhere.status == 400 && nowhere.json?["code"]?.string == "NoSegment")
    #expect(try web.ask("/route/v1/driving/1,2").json?["code"]?.string == "InvalidOptions")
  }

  /// The requests are those that the programs send, by their sources, and so are the fields.
  @Test("the manual's examples for Dawarich, Traccar and Home Assistant give what they read")
  func examples() throws {
    let manual = String(
      decoding: try Data(
        contentsOf: PrivateBus.house.appending(path: "config/man/locationd-places.8")),
      as: UTF8.self
    ).replacing("\\-", with: "-")
    for line in [
      "PHOTON_API_HOST=host.docker.internal:2322/photon", "PHOTON_API_USE_HTTPS=false",
      "<entry key='geocoder.url'>http://127.0.0.1:2322/reverse</entry>",
      "HTTPHosts=host.docker.internal 172.17.0.1",
      "http://127.0.0.1:2322/reverse?format=jsonv2&lat={{",
    ] {
      #expect(manual.contains(line), "\(line)")
    }
    let web = try AskingWeb.ofMonaco(
      "[Places]\nHTTPHosts=host.docker.internal 172.17.0.1\n")
    // Dawarich, by Ruby's geocoder, out of a container.
    let dawarich = try web.ask(
      "/photon/reverse?distance_sort=true&lang=en&lat=43.7394&limit=10&lon=7.4277&radius=1",
      ["User-Agent: Dawarich 1.0 (https://dawarich.app)", "Accept: */*"],
      host: "host.docker.internal:2322")
    #expect(dawarich.json?["type"]?.string == "FeatureCollection", "\(dawarich.body)")
    let features = try #require(dawarich.json?["features"]?.array)
    #expect(features.count == 10)
    for feature in features {
      let properties = feature["properties"]
      #expect(properties?["country"]?.string == "Monaco" && properties?["city"]?.string != nil)
      #expect(["N", "W", "R"].contains(properties?["osm_type"]?.string))
      #expect(properties?["osm_key"]?.string != nil && properties?["osm_value"]?.string != nil)
      #expect(feature["geometry"]?["coordinates"]?.array?.count == 2)
    }
    // Traccar writes its numbers with six decimals.
    let traccar = try web.ask(
      "/reverse?format=json&lat=43.739400&lon=7.427700&zoom=18&addressdetails=1",
      ["User-Agent: Jersey/3.1", "Accept: text/html, image/gif, image/jpeg, */*; q=0.2"])
    let address = try #require(traccar.json?["address"], "\(traccar.body)")
    #expect(traccar.json?["display_name"]?.string?.contains("Monaco") == true)
    #expect(address["country_code"]?.string == "mc" && address["road"]?.string != nil)
    #expect(
      ["village", "town", "city"].contains { address[$0]?.string != nil }, "\(traccar.body)")
    for member in address.members ?? [] { #expect(member.value.string != nil, "\(member.key)") }
    // Home Assistant.
    let home = try web.ask(
      "/reverse?format=jsonv2&lat=43.7394&lon=7.4277",
      ["User-Agent: HomeAssistant/2024.3.3 httpx/0.27.0 Python/3.12", "Accept: */*"])
    #expect(home.json?["display_name"]?.string?.contains("Monaco") == true, "\(home.body)")
  }

  @Test("a name is told in the reader's language, by the parameter or the header")
  func languages() throws {
    let web = try AskingWeb.ofMonaco()
    for (tag, name) in [
      ("ko", "독일"), ("ja", "ドイツ"), ("de", "Deutschland"), ("fr", "Allemagne"), ("es", "Alemania"),
    ] {
      for (query, headers) in [
        ("&accept-language=\(tag)", ["Accept-Language: en"]),
        ("", ["Accept-Language: \(tag), en;q=0.5"]),
      ] {
        let place = try web.ask("/search?q=M%C3%BCnchen&limit=1" + query, headers).json?.array?
          .first
        let label = place?["display_name"]?.string ?? ""
        #expect(label.contains(name) && !label.contains("Germany"), "\(tag): \(label)")
      }
    }
    // The town and the country of a street, too, of which the extract has names in its own language.
    for (tag, town) in [("ko", "모나코"), ("ja", "モナコ"), ("es", "Mónaco"), ("de", "Monaco")] {
      for path in ["/search?q=Rue+Grimaldi&", "/reverse?lat=43.7394&lon=7.4277&"] {
        let answer = try web.ask(path + "addressdetails=1&accept-language=\(tag)").json
        let address = (answer?.array?.first ?? answer)?["address"]
        let names = [address?["country"]?.string, address?["city"]?.string]
        #expect(names == [town, town], "\(tag) \(path): \(answer?.text ?? "-")")
      }
      let photon = try web.ask("/photon/api?q=Rue+Grimaldi&limit=1&lang=\(tag)").json
      let properties = photon?["features"]?.array?.first?["properties"]
      #expect(properties?["country"]?.string == town && properties?["city"]?.string == town)
    }
  }

  @Test("another host, another site and other methods are refused before any work")
  func refused() throws {
    let web = try AskingWeb.ofMonaco("[Places]\nHTTPHosts=here.example\n", hasWorld: false)
    let path = "/search?q=Rue+Grimaldi"
    for host in ["evil.example", "127.0.0.1.evil.example", "here.example.evil"] {
      #expect(try web.ask(path, host: host).status == 403)
    }
    for header in [
      "Origin: http://evil.example", "Origin: null", "Referer: http://evil.example/",
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
    ] {
      let answer = try web.ask(path, [header])
      #expect(answer.status == 403 && !answer.head.contains("Access-Control"), "\(header)")
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
      #expect(try web.ask(path, method: method).status == 405)
    }
    #expect(try web.counters()["geocode"] == nil)
    #expect(try web.ask(path, host: "HERE.example:80").status != 403)
    #expect(try web.counters()["geocode"]?.integer == 1)
    let callback = try web.ask(path + "&json_callback=steal")
    #expect(!callback.body.contains("steal"))
  }

  @Test("odd requests have clear answers, in the words of their server")
  func odd() throws {
    let web = try AskingWeb.ofMonaco()
    for (path, status, words) in [
      ("//search?q=Casino", 404, "nothing at this address"), ("/", 404, "nothing at this address"),
      ("/search//?q=Casino", 404, "nothing at this address"),
      ("/../search?q=Casino", 404, "nothing at this address"),
      ("/%73earch?q=Casino&limit=1", 200, "place_id"),
      ("/search?q=%00", 200, "[]"), ("/search?q=Casino%00zzqq", 200, "[]"),
      ("/search?q=%ff%fe", 200, "[]"), ("/search", 400, "Nothing to search for"),
      ("/search?q=", 200, "[]"), ("/search?q=Casino&limit=0&unknown=1", 200, "place_id"),
      ("/search?q=Casino&limit=-1&format=json", 200, "\"class\""),
      ("/search?q=Casino&format=foo", 400, "Parameter 'format' must be one of"),
      ("/search?q=Paris&q=Rue+Grimaldi&limit=9&limit=1", 200, "Rue Grimaldi"),
      ("/search?q=Monaco&countrycodes=fr&country=DE", 400, "cannot be used together with 'q'"),
      ("/search?city=Monaco&countrycodes=fr&country=DE", 200, "[]"),
      ("/reverse?lat=NaN&lon=7.4", 400, "Parameter 'lat' must be a number."),
      ("/search?q=Casino&limit=1&&&=&%zz=%", 200, "place_id"),
      ("/search?q=" + String(repeating: "a", count: 5000), 400, "longer than"),
      ("/search?q=a&" + String(repeating: "b=c&", count: 100), 400, "more than 64 parameters"),
      ("/reverse?lat=1e999&lon=nan", 400, "must be a number"),
      ("/reverse?lat=43.7", 400, "'lon' missing"), ("/lookup?osm_ids=X1,N,W-5", 200, "[]"),
      ("/photon/api?q=a&lat=43.7", 400, "lat"), ("/photon/nothing", 404, "message"),
      ("/route/v1/driving/", 400, "code"), ("/route/v1/flying/7.42,43.73;7.43,43.74", 400, "code"),
    ] {
      let answer = try web.ask(path)
      #expect(answer.status == status, "\(path.prefix(80)): \(answer.head) \(answer.body)")
      #expect(answer.body.contains(words), "\(path.prefix(80)): \(answer.body)")
      #expect(answer.head.contains("application/json"), "\(path.prefix(80)): \(answer.head)")
    }
    // Beyond all that is read.
    let long = try web.ask("/search?q=" + String(repeating: "a", count: 40_000))
    #expect([413, 414, 431].contains(long.status), "\(long.head)")
    let one = try web.ask("/search?q=Casino&limit=0").json
    #expect(one?.array?.count == 1)
    let asked = try web.ask("/search?q=Casino&limit=1")
    let head = try web.ask("/search?q=Casino&limit=1", method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty, "\(head)")
    #expect(head.head.contains("Content-Length: \(asked.body.utf8.count)"), "\(head.head)")
    for method in ["POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW"] {
      let answer = try web.ask("/search?q=Casino", method: method)
      #expect(answer.status == 405 && answer.head.contains("Allow: GET, HEAD"), "\(answer)")
      #expect(answer.body.contains("Only GET and HEAD are served."), "\(answer.body)")
    }
  }

  @Test("named servers are asked only where the configuration says so")
  func servers() throws {
    let server = try PlaceServer()
    for (line, count) in [("", 0), ("HTTPServers=yes\n", 1)] {
      let web = try AskingWeb.ofMonaco(
        "[Places]\n\(line)[Servers]\nGeocoder=nominatim:http://127.0.0.1:\(server.port)\n",
        hasWorld: false)
      let before = server.listen().count
      _ = try web.ask("/search?q=Le+Rocher")
      #expect(server.listen().count - before == count, "\(line)")
    }
  }

  @Test("it leaves when nobody asks, and keeps none of what was asked in what it says")
  func idle() throws {
    let port = try RealGpsd.freePort()
    let places = try RunningPlaces(
      "", ["--http", "127.0.0.1:\(port)", "--idle", "1", "--data", "/usr/share/none"])
    let web = AskingWeb(places: places, port: port)
    #expect(try web.ask("/search?q=secretplace").status == 503)
    let (said, exit) = try places.program.text()
    #expect(exit == 0 && !said.contains("secret"), "\(said)")
  }
}

@Suite("Programs that speak Nominatim's, Photon's and OSRM's words", .timeLimit(.minutes(60)))
struct WebClientTests {
  @Test("geopy and routingpy understand the answers, and ways are as long as OSRM's own")
  func clients() throws {
    let house = Checkout.path
    let driver = try Program(
      [
        "/usr/bin/python3", house + "/Tests/Servers/web-clients.py",
        Program.path("locationd-places"), house + "/.build/engines", house + "/.build/places",
      ],
      environment: [
        "PYTHONPATH": house + "/.build/web-clients", "PYTHONDONTWRITEBYTECODE": "1",
      ])
    let (said, exit) = try driver.text()
    #expect(exit == 0, "\(said)")
  }
}
