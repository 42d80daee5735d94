import LocationCore
import LocationModel
import ReceiverCore

@testable import locationctl

extension Decoder {
  /// The reader of `locationctl replay --regions`.
  static var geoJSON: Decoder {
    func collection(_ features: String) -> [UInt8] {
      [UInt8](0x40, #"{"type":"FeatureCollection","features":[\#(features)]}"#)
    }
    let point =
      #"{"type":"Feature","properties":{"identifier":"a","radius":100,"notifyOnEntry":false},"#
      + #""geometry":{"type":"Point","coordinates":[8,50]}}"#
    let polygon =
      #"{"properties":{"identifier":"b"},"geometry":{"type":"Polygon","coordinates":"#
      + "[[[8,50],[9,50],[9,51],[8,50]],[[8.4,50.1],[8.5,50.1],[8.5,50.2]]]}}"
    return Decoder(
      name: "geojson",
      words: extremes + [
        #""type":"Point""#, #""type":"Polygon""#, #""coordinates":["#, #""radius":"#,
        #""identifier":"#, #""properties":{"#, "[180,90]", "[-180,-90]", "[0,0]", "[8,50],",
        "null", "{", "}", "[", "]",
      ],
      seeds: [collection(point), collection(polygon), collection(point + "," + polygon)]
    ) { input in
      let (_, bytes) = input.choice
      guard let regions = try? Region.geoJSON(bytes, of: "file") else { return }
      _ = ReplayMap(regions)
      let place = Coordinate(latitude: 50.01, longitude: 8.02)
      for region in regions {
        let json = region.json
        if let again = try? Region(json) { check(again == region, "it would be another region") }
        guard let depth = RegionShape(region.shape)?.depth(of: Point(place), at: place) else {
          continue
        }
        check(depth.isFinite, "it is nowhere")
      }
      var mind = Mind()
      mind.call(Call(id: .null, .startMonitoring(regions)))
      for _ in 0..<3 { mind.fix(at: place) }
    }
  }
}
