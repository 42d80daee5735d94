import BenchSupport
import Glibc
import LocationModel
import PlaceStore

/// Texts that somebody sends to do harm: each is answered or refused, and soon.
enum Hostile {
  private static let parts = [
    "\\\"", "*", "(", ")", "NEAR(", "AND", "OR", "NOT", "name:", "^", "-", "{", "}", "+", "'",
    ";--",
    "\u{202E}", "\u{200F}", "\u{FFFD}", "\\u0000", "\\ud800", "\\udc00", "\\ud83c\\udfd9", "𐐷",
    "١٢",
    "१", "๓", "𝟙", "서", "ㅄ", "ㅁㅕㅇ", "a", "sa", "str", "Ω", "ﷺ", "ß", "İ", "\u{300}", "กำ", " ",
    "\\t",
    "37.5", "N", "°", "8Q98HX8H+", "geo:", "geo:1e999,nan", "90210", "1 rue", "세종대로 1", ",", "/",
  ]
  private static let limit: Duration = .milliseconds(100)

  static func run(_ atlas: Atlas, _ count: Int) {
    var random = SystemRandomNumberGenerator()
    var (refused, answered, late) = (0, 0, 0)
    var slowest: (time: Duration, text: String) = (.zero, "")
    for i in 0..<count {
      var text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      if i % 1000 == 0 {
        text = String(repeating: text + "a", count: 65_536 / (text.utf8.count + 1))
      }
      let line = "{\"text\":\"\(text)\",\"near\":[37.5,127]}"
      let method = ["complete", "geocode", "search"][i % 3]
      let start = cpuTime
      if answers(line, method, atlas) { answered += 1 } else { refused += 1 }
      let time = cpuTime - start
      if time > limit { late += 1 }
      if time > slowest.time { slowest = (time, String(text.prefix(60))) }
    }
    print("\(answered) hostile texts are answered, \(refused) refused")
    Figures.say(
      "hostile texts of \(count) that take longer than 100 ms", Double(late), "texts", .atMost(0))
    Figures.say("hostile texts, the slowest", slowest.time / .milliseconds(1), "ms")
    print("    the slowest: \(slowest.text.plain(atMost: 60))")
  }

  /// Of this thread: other work on the machine is not counted.
  private static var cpuTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func answers(_ line: String, _ method: String, _ atlas: Atlas) -> Bool {
    let bytes = Array(line.utf8)
    guard
      let json = try? bytes.withUnsafeBytes({ (buffer) throws(JSONError) in
        try JSON(parsing: buffer)
      }),
      let request = try? PlaceRequest(method: method, parameters: Parameters(json))
    else { return false }
    do throws(Refusal) {
      switch request {
      case .complete(let request): _ = try atlas.complete(request)
      case .geocode(let request): _ = try atlas.geocode(request)
      case .search(let request): _ = try atlas.search(request)
      default: return false
      }
      return true
    } catch {
      // Nothing of that name; what breaks the data would be told as `failed`.
      if error.code == .failed { print("FAILED: \(error.message)") }
      return false
    }
  }
}
