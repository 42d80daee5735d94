import Glibc
import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// How right and how fast the answers about places are; it fails where they are not as good as they are to be.
@main struct BenchPlaces {
  nonisolated(unsafe) private static var isGood = true

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print("Usage: bench-places FOLDER AIRPORTS.csv | bench-places FOLDER --hostile COUNT")
      exit(2)
    }
    let atlas = Atlas(folders: [arguments[1]])
    if arguments[2] == "--hostile" {
      isGood = Hostile.run(atlas, arguments.count > 3 ? Int(arguments[3]) ?? 1000 : 1000)
    } else {
      try airports(atlas, arguments[2])
      try completion(atlas, arguments[1])
    }
    exit(isGood ? 0 : 1)
  }

  /// A figure in hundredths of a per cent, and the least that is good enough.
  private static func claim(_ what: String, _ part: Int, _ whole: Int, least: Double) {
    let share = Double(part) / Double(max(whole, 1)) * 100
    if share < least { isGood = false }
    print(
      "\(what): \(Self.share(part, whole)) of \(whole)",
      share < least ? "— TOO FEW, \(least) % is wanted" : "(\(least) % is wanted)")
  }

  private static func claim(_ what: String, _ times: [Double], p50: Double? = nil, p99: Double) {
    let isLate = at(0.99, times) > p99 || p50.map { at(0.5, times) > $0 } == true
    if isLate { isGood = false }
    print("  \(what): \(spread(times))", isLate ? "— TOO SLOW, \(p99) ms is wanted" : "")
  }

  private static func at(_ share: Double, _ times: [Double]) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
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
    claim("airports, country", right, count, least: 99.6)
    claim("reverse", times, p50: 0.3, p99: 5)
    claim("reverse anywhere, oceans included", sea, p50: 0.3, p99: 5)
    let wanted = [
      ("US", 99.0), ("CA", 99), ("AU", 99), ("FR", 99), ("DE", 97), ("JP", 97), ("KR", 97.5),
    ]
    for (country, least) in wanted {
      let (right, all) = provinces[country] ?? (0, 0)
      claim("  \(country), subdivision", right, all, least: least)
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
    for (letters, least) in [(3, 90.0), (4, 96), (5, 98.5), (6, 99.5)] {
      var right = 0
      for row in largest {
        let typed = String((row[1].text ?? "").prefix(letters))
        if try isFound(typed, row[0].integer ?? 0, near: nil, "en") { right += 1 }
      }
      claim("completion, \(letters) letters", right, largest.count, least: least)
      claim("time", times, p99: 10)
      times = []
    }
    let korean = try database.rows(
      "SELECT p.gid, n.name FROM place p JOIN place_name n ON n.gid = p.gid AND n.language = 'ko' WHERE cc = 'KR'"
    )
    for (letters, least) in [(1, 90.0), (2, 99)] {
      var right = 0
      for row in korean {
        let typed = String((row[1].text ?? "").prefix(letters))
        if try isFound(
          typed, row[0].integer ?? 0, near: Coordinate(latitude: 37.5, longitude: 127), "ko")
        {
          right += 1
        }
      }
      claim("Korean, \(letters) syllables", right, korean.count, least: least)
      claim("time", times, p99: 10)
      times = []
    }
  }

  private static func share(_ part: Int, _ whole: Int) -> String {
    "\((Double(part) / Double(max(whole, 1)) * 10000).rounded() / 100) %"
  }

  private static func spread(_ times: [Double]) -> String {
    func rounded(_ share: Double) -> Double { (at(share, times) * 1000).rounded() / 1000 }
    return "p50 \(rounded(0.5)) ms, p99 \(rounded(0.99)) ms, most \(rounded(1)) ms"
  }
}
