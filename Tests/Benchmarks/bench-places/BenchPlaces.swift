import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// How right and how fast the answers about places are: bench-places FOLDER AIRPORTS.csv
@main struct BenchPlaces {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("Usage: bench-places FOLDER AIRPORTS.csv")
      return
    }
    let atlas = Atlas(folders: [arguments[1]])
    try airports(atlas, arguments[2])
    try completion(atlas, arguments[1])
  }

  private static func airports(_ atlas: Atlas, _ path: String) throws {
    let text = String(decoding: try File.bytes(of: path, atMost: 1 << 26), as: UTF8.self)
    var (count, right) = (0, 0)
    var provinces: [String: (right: Int, all: Int)] = [:]
    var missed: [String: Int] = [:]
    var times: [Double] = []
    for airport in Airport.all(in: text) {
      var request = ReverseRequest(airport.coordinate)
      request.locale = "en"
      let start = ContinuousClock.now
      let mark = try atlas.reverse(request)[0]
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      count += 1
      if Territories.parent(mark.isoCountryCode ?? "") == Territories.parent(airport.country) {
        right += 1
      }
      guard !airport.province.isEmpty else { continue }
      let isRight = airport.isIn(mark.administrativeArea ?? "")
      provinces[airport.country, default: (0, 0)].all += 1
      if isRight { provinces[airport.country, default: (0, 0)].right += 1 }
      if !isRight, ["US", "CA", "AU", "FR", "DE", "JP", "KR"].contains(airport.country) {
        missed[
          "\(airport.country) \(airport.province) | \(mark.administrativeArea ?? "-")", default: 0] +=
          1
      }
    }
    var sea: [Double] = []
    for i in 0..<2000 {
      let place = Coordinate(
        latitude: Double(i % 120) - 60.5, longitude: Double(i * 37 % 360) - 179.5)
      let start = ContinuousClock.now
      _ = try atlas.reverse(ReverseRequest(place))
      sea.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    print(
      "airports: country \(share(right, count)) of \(count); \(spread(times)); anywhere \(spread(sea))"
    )
    for country in ["US", "CA", "AU", "FR", "DE", "JP", "KR"] {
      let (right, all) = provinces[country] ?? (0, 0)
      print("  \(country) subdivision \(share(right, all)) of \(all)")
    }
    for (what, count) in missed.sorted(by: { $0.value > $1.value }).prefix(24) {
      print("    \(count) \(what)")
    }
  }

  private static func completion(_ atlas: Atlas, _ folder: String) throws {
    let database = try SealedDatabase(
      path: folder + "/world.sqlite", application: WorldSchema.application,
      version: WorldSchema.version)
    var times: [Double] = []
    func isFound(_ text: String, _ gid: Int64, near: Coordinate?, _ locale: String) throws -> Bool {
      var request = CompletionRequest(text)
      request.limit = 5
      request.locale = locale
      request.near = near
      let start = ContinuousClock.now
      let found = try atlas.complete(request)
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      return found.contains { $0.id == "world:\(gid)" }
    }
    let largest = try database.rows("SELECT gid, name FROM place WHERE rank <= 1000")
    for letters in 3...6 {
      var right = 0
      for row in largest {
        let typed = String((row[1].text ?? "").prefix(letters))
        if try isFound(typed, row[0].integer ?? 0, near: nil, "en") { right += 1 }
      }
      print("completion, \(letters) letters: \(share(right, largest.count)); \(spread(times))")
      times = []
    }
    let korean = try database.rows(
      "SELECT p.gid, n.name FROM place p JOIN place_name n ON n.gid = p.gid AND n.language = 'ko' WHERE cc = 'KR'"
    )
    for letters in 1...2 {
      var right = 0
      for row in korean {
        let typed = String((row[1].text ?? "").prefix(letters))
        if try isFound(
          typed, row[0].integer ?? 0, near: Coordinate(latitude: 37.5, longitude: 127), "ko")
        {
          right += 1
        }
      }
      print("Korean, \(letters) syllables: \(share(right, korean.count)); \(spread(times))")
      times = []
    }
  }

  private static func share(_ part: Int, _ whole: Int) -> String {
    "\((Double(part) / Double(max(whole, 1)) * 10000).rounded() / 100) %"
  }

  private static func spread(_ times: [Double]) -> String {
    let sorted = times.sorted()
    func at(_ share: Double) -> Double {
      sorted.isEmpty
        ? 0
        : (sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1000).rounded() / 1000
    }
    return "p50 \(at(0.5)) ms, p99 \(at(0.99)) ms, most \(at(1)) ms"
  }
}
