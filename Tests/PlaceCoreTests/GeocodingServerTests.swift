import LocationModel
import Testing

@testable import PlaceCore

@Suite("Servers of places") struct GeocodingServerTests {
  private let seoul = Coordinate(latitude: 37.5664, longitude: 126.978)

  private func places(_ server: String, _ text: String, _ request: PlaceRequest) throws
    -> [Placemark]?
  {
    try GeocodingServer(server).places(in: Array(text.utf8), for: request)
  }

  @Test(
    "a server of this machine or a private network is not public, all others are",
    arguments: [
      ("http://localhost:8080", false), ("http://127.0.0.1", false), ("http://[::1]:80/x", false),
      ("http://192.168.1.4", false), ("http://172.20.0.1", false), ("http://nas.local", false),
      ("http://geo", false), ("https://nominatim.openstreetmap.org", true),
      ("http://172.32.0.1", true), ("http://[2001:db8::1]", true), ("http://10.example.org", true),
    ])
  func isPublic(url: String, expected: Bool) throws {
    #expect(try ServerAddress(url).isPublic == expected)
  }

  @Test(
    "what is no address of a server is told",
    arguments: [
      "photon", "osrm:http://x", "nominatim:ftp://x", "nominatim:http://", "nominatim:http://a b",
      "nominatim:http://user:secret@x", "nominatim:http://x:99999", "nominatim:http://x/?a=b",
    ])
  func unusable(text: String) {
    #expect(throws: Unusable.self) { try GeocodingServer(text) }
  }

  @Test("Nominatim is asked in its words, and never to complete")
  func nominatimQuery() throws {
    let server = try GeocodingServer("nominatim:http://h/base/")
    var request = GeocodeRequest("명동 & co")
    request.locale = "ko_KR.UTF-8"
    request.country = "KR"
    #expect(
      server.url(for: .geocode(request))
        == "http://h/base/search?format=jsonv2&addressdetails=1&q=%EB%AA%85%EB%8F%99%20%26%20co"
        + "&limit=5&accept-language=ko-KR%2Cko%2Cen&countrycodes=kr")
    #expect(
      server.url(for: .reverseGeocode(ReverseRequest(seoul)))
        == "http://h/base/reverse?format=jsonv2&addressdetails=1&lat=37.5664&lon=126.978")
    #expect(server.url(for: .complete(CompletionRequest("Seo"))) == nil)
    var typed = GeocodeRequest("Seo")
    typed.isTyped = true
    #expect(server.url(for: .geocode(typed)) == nil)
  }

  @Test("Photon is asked in its words, without a language that it refused")
  func photonQuery() throws {
    var server = try GeocodingServer("photon:https://h")
    var request = CompletionRequest("Seo")
    request.near = seoul
    request.locale = "ko"
    #expect(
      server.url(for: .complete(request))
        == "https://h/api?q=Seo&limit=8&lat=37.5664&lon=126.978&lang=ko")
    guard case .again = server.meaning(of: [], status: 400, to: .complete(request)) else {
      return #expect(Bool(false))
    }
    #expect(
      server.url(for: .complete(request))
        == "https://h/api?q=Seo&limit=8&lat=37.5664&lon=126.978")
    let meaning = server.meaning(of: [], status: 400, to: .complete(request))
    #expect(meaning == nil)
  }

  @Test("an address of Nominatim's becomes a placemark")
  func nominatimAnswer() throws {
    let text = """
      {"osm_type":"way","osm_id":5,"lat":"37.5664","lon":"126.9780","type":"townhall","name":"",
      "display_name":"110, 세종대로, 중구, 서울특별시, 04524, 대한민국","address":{"house_number":"110",
      "road":"세종대로","quarter":"명동","borough":"중구","city":"서울특별시","ISO3166-2-lvl4":"KR-11",
      "postcode":"04524","country":"대한민국","country_code":"kr"},
      "boundingbox":["37.566","37.567","126.977","126.979"]}
      """
    let place = try #require(
      try places("nominatim:http://h", text, .reverseGeocode(ReverseRequest(seoul)))?.first)
    #expect(place.name == "세종대로 110" && place.subThoroughfare == "110")
    #expect(place.administrativeArea == "서울특별시" && place.locality == "서울특별시")
    #expect(place.isoCountryCode == "KR" && place.postalCode == "04524")
    #expect((50...200).contains(place.radius ?? 0) && place.source == "nominatim")
    #expect(place.formattedAddress?.hasPrefix("대한민국 서울특별시") == true)
  }

  @Test("a place of Photon's becomes a placemark, a completion, and a search for the same")
  func photonAnswer() throws {
    let text = """
      {"type":"FeatureCollection","features":[{"geometry":{"type":"Point","coordinates":[7.42,43.73]},
      "properties":{"osm_type":"R","osm_id":1,"osm_value":"city","type":"city","name":"Monaco",
      "country":"Monaco","countrycode":"MC"}}]}
      """
    let place = try #require(
      try places("photon:http://h", text, .complete(CompletionRequest("mon")))?.first)
    #expect(place.locality == "Monaco" && place.isoCountryCode == "MC")
    let line = try #require(Photon.completion(place, typed: "mon"))
    #expect(line.title == "Monaco" && line.titleHighlights == [0..<3])
    let search = try #require(Photon.search(for: SearchRequest(.id(line.id))))
    #expect(search.query == .text("Monaco") && search.near == place.coordinate)
  }

  @Test(
    "what no server should say is no place, and harms nobody",
    arguments: ["nominatim:http://h", "photon:http://h"])
  func hostile(server: String) throws {
    let request = PlaceRequest.reverseGeocode(ReverseRequest(seoul))
    for text in [
      "", "<html>", "{}", "[[[", "{\"lat\":{}}", "\"x\"", "{\"features\":1}", "7",
      String(repeating: "[", count: 100_000),
    ] {
      #expect(try places(server, text, request)?.isEmpty != false, "\(text.prefix(20))")
    }
    for text in [
      #"{"lat":"nan","lon":"1e999","address":7}"#, #"{"lat":"91","lon":"0"}"#,
      #"{"lat":"-33","lon":"151","name":"Sydney"}"#,
      #"{"features":[{"geometry":{"coordinates":[1e308,null]}},7,null]}"#,
      #"{"features":[{"geometry":{"coordinates":[151,-33]},"properties":{"name":"Sydney"}}]}"#,
    ] {
      #expect(try places(server, text, request)?.isEmpty != false, "\(text)")
    }
    let long = String(repeating: "\u{202E}x\n", count: 10_000).unicodeScalars.map {
      $0 == "\n" ? "\\n" : String($0)
    }.joined()
    let names = #"{"lat":"37.5","lon":"127","name":"\#(long)"}"#
    for place in try places(server, names, request) ?? [] {
      let name = try #require(place.name)
      #expect(name.utf8.count < 1024 && name.unicodeScalars.allSatisfy(\.isPlain))
    }
  }
}
