import BenchSupport
import Glibc
import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// How right and how fast the answers about places are; it fails where they are not as good as they are to be.
@main struct BenchPlaces {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print(
        "Usage: bench-places FOLDER AIRPORTS.csv | --questions FILE | --hostile COUNT | --streets FOLDER-OF-AN-EXTRACT"
      )
      exit(2)
    }
    let atlas = Atlas(folders: [arguments[1]])
    if arguments[2] == "--hostile" {
      Hostile.run(atlas, arguments.count > 3 ? Int(arguments[3]) ?? 1000 : 1000)
    } else if arguments[2] == "--questions", arguments.count > 3 {
      try questions(atlas, RawRows(world: arguments[1]), arguments[3])
    } else if arguments[2] == "--streets", arguments.count > 3 {
      try streets(arguments[1], arguments[3])
    } else {
      let raw = try RawRows(world: arguments[1])
      try airports(atlas, raw, arguments[2])
      try completion(atlas, raw)
    }
    Figures.end()
  }

  private static func claim(_ what: String, _ part: Int, _ whole: Int, least: Double) {
    Figures.say(what, Double(part) / Double(max(whole, 1)) * 100, "% of \(whole)", .atLeast(least))
  }

  private static func airports(_ atlas: Atlas, _ raw: RawRows, _ path: String) throws {
    let text = String(decoding: try File.bytes(of: path, atMost: 1 << 26), as: UTF8.self)
    var (count, right) = (0, 0)
    var provinces: [String: (right: Int, all: Int)] = [:]
    var missed: [String: Int] = [:]
    var times = Times()
    for airport in Airport.all(in: text) {
      var request = ReverseRequest(airport.coordinate)
      request.locale = "en"
      let mark = try times.measure {
        try atlas.reverse(request)[0]
      } raw: {
        try raw.around(airport.coordinate)
      }
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
    var sea = Times()
    for i in 0..<2000 {
      let place = Coordinate(
        latitude: Double(i % 120) - 60.5, longitude: Double(i * 37 % 360) - 179.5)
      _ = try sea.measure {
        try atlas.reverse(ReverseRequest(place))
      } raw: {
        try raw.around(place)
      }
    }
    claim("airports, country", right, count, least: 99.6)
    times.say("reverse at airports", beside: Times.boxes, p50: 0.3, p99: 5)
    sea.say("reverse anywhere, oceans included", beside: Times.boxes, p50: 0.3, p99: 5)
    let wanted = [
      ("US", 99.0), ("CA", 99), ("AU", 99), ("FR", 99), ("DE", 97), ("JP", 97), ("KR", 97.5),
    ]
    for (country, least) in wanted {
      let (right, all) = provinces[country] ?? (0, 0)
      claim("airports, subdivision in \(country)", right, all, least: least)
    }
    for (what, count) in missed.sorted(by: { $0.value > $1.value }).prefix(24) {
      print("    \(count) \(what)")
    }
  }

  /// Everyday questions, by group.
  private static func questions(_ atlas: Atlas, _ raw: RawRows, _ path: String) throws {
    var groups: [(name: String, right: Int, all: Int)] = []
    var times = Times()
    for question in try PlaceQuestion.all(path) {
      if groups.last?.name != question.group { groups.append((question.group, 0, 0)) }
      let fault = try times.measure(question.text) {
        question.fault(atlas)
      } raw: {
        try raw.named(question.text, in: "names")
      }
      groups[groups.count - 1].all += 1
      if let fault {
        print("    \(question.text.plain(atMost: 60)): \(fault.plain(atMost: 120))")
      } else {
        groups[groups.count - 1].right += 1
      }
    }
    for group in groups { print("  \(group.name): \(group.right) of \(group.all)") }
    claim(
      "everyday questions", groups.reduce(0) { $0 + $1.right },
      groups.reduce(0) { $0 + $1.all }, least: 97)
    times.say("everyday questions", beside: Times.names, p99: 20)
  }

  private static func completion(_ atlas: Atlas, _ raw: RawRows) throws {
    var times = Times()
    func isFound(_ text: String, _ gid: Int64, near: Coordinate?, _ locale: String) throws -> Bool {
      var request = CompletionRequest(text)
      request.limit = 5
      request.locale = locale
      request.near = near
      let found = try times.measure(text) {
        try atlas.complete(request)
      } raw: {
        try raw.named(text, in: "names")
      }
      return found.contains { $0.id == "world:\(gid)" }
    }
    let largest = try raw.rows("SELECT gid, name FROM place WHERE rank <= 1000")
    for (letters, least) in [(3, 90.0), (4, 96), (5, 98.5), (6, 99.5)] {
      var right = 0
      for row in largest {
        let typed = String((row[1].text ?? "").prefix(letters))
        if try isFound(typed, row[0].integer ?? 0, near: nil, "en") { right += 1 }
      }
      let name = "completion, \(letters) letters"
      claim(name, right, largest.count, least: least)
      times.say(name, beside: Times.names, p99: 10)
      times = Times()
    }
    var (right, all) = (0, 0)
    for (i, row) in largest.enumerated() {
      let name = row[1].text ?? ""
      guard name.count >= 5 else { continue }
      all += 1
      if try isFound(misspelt(name, i), row[0].integer ?? 0, near: nil, "en") { right += 1 }
    }
    claim("completion, one letter wrong", right, all, least: 90)
    times.say("completion, one letter wrong", beside: Times.names, p99: 20)
    times = Times()
    let korean = try raw.rows(
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
      let name = "completion, \(letters) Korean syllable\(letters > 1 ? "s" : "")"
      claim(name, right, korean.count, least: least)
      times.say(name, beside: Times.names, p99: 10)
      times = Times()
    }
  }

  /// Names of an extract as people type them: a letter at a time, from there and from elsewhere, with a letter wrong,
  /// with a town behind them that the extract does not say.
  private static func streets(_ world: String, _ folder: String) throws {
    let atlas = Atlas(folders: [folder, world])
    guard let file = try File.names(in: folder).first(where: { $0.hasSuffix(ExtractTables.suffix) })
    else {
      print("bench-places: \(folder) has no extract")
      exit(2)
    }
    let raw = try RawRows(extract: "\(folder)/\(file)")
    let things = try raw.rows(
      """
      SELECT name, latitude, longitude FROM thing WHERE name IS NOT NULL
      AND id > (SELECT (SELECT max(id) FROM thing) / 2) LIMIT 400
      """)
    var times = Times()
    func type(_ text: String, near: Coordinate?) throws {
      var request = CompletionRequest(text)
      request.near = near
      request.locale = "en"
      _ = try times.measure(text) {
        try atlas.complete(request)
      } raw: {
        try raw.named(text, in: "words")
      }
    }
    func tell(_ what: String, p99: Double = 20) {
      times.say("streets, \(what)", beside: Times.names, p99: p99)
      times = Times()
    }
    let names = things.compactMap { row -> (name: String, place: Coordinate)? in
      guard let name = row[0].text, let y = row[1].integer, let x = row[2].integer else {
        return nil
      }
      return (name, Coordinate(latitude: Double(y) / 1e7, longitude: Double(x) / 1e7))
    }
    print("\(names.count) names of \(file)")
    for (what, isThere) in [("there", true), ("elsewhere", false)] {
      for (name, place) in names {
        for letters in 1...max(1, min(name.count, 16)) {
          try type(String(name.prefix(letters)), near: isThere ? place : nil)
        }
      }
      tell("letter by letter, \(what)", p99: 10)
      for (name, place) in names where name.count > 4 {
        let middle = name.index(name.startIndex, offsetBy: name.count / 2)
        try type(
          name[..<middle] + "q" + name[name.index(after: middle)...], near: isThere ? place : nil)
      }
      tell("one letter wrong, \(what)")
      for (name, place) in names { try type(name + ", Monaco", near: isThere ? place : nil) }
      tell("with a town, \(what)")
    }
  }

  /// With one letter changed, left out, too much or exchanged with the next one; each in turn, and anywhere.
  private static func misspelt(_ name: String, _ turn: Int) -> String {
    var letters = Array(name)
    let place = turn / 4 % (letters.count - 1)
    switch turn % 4 {
    case 0: letters[place] = letters[place] == "e" ? "a" : "e"
    case 1: letters.remove(at: place)
    case 2: letters.insert("s", at: place)
    default: letters.swapAt(place, place + 1)
    }
    return String(letters)
  }
}
