import PlaceCore
import Testing

@testable import build_places

@Suite("Names of the world's file") struct BuiltNameTests {
  @Test("a country has its short name where the long one only says more")
  func short() {
    for (catalogue, map, shown) in [
      ("フランス共和国", "フランス", "フランス"), ("Principado de Mónaco", "Mónaco", "Mónaco"),
      ("Republik Südafrika", "Südafrika", "Südafrika"),
      ("Royaume Uni", "Royaume-Uni", "Royaume-Uni"),
      ("韓国、朝鮮民主主義人民共和国", "朝鮮民主主義人民共和国", "朝鮮民主主義人民共和国"),
      // Another name, an end within a word, a name in brackets.
      ("Holanda", "Países Bajos", "Holanda"), ("Gronelandia", "landia", "Gronelandia"),
      ("Ý (Italia)", "Italia", "Ý (Italia)"), ("Mónaco", "Mónaco", "Mónaco"),
    ] {
      #expect(CountryName.shown(catalogue, map: map) == shown)
    }
  }

  @Test(
    "a country gave its provinces' numbers to others where most of its towns have another by now")
  func renumbered() {
    func countries(_ changed: Int, of all: Int, now: String = "01") -> Set<String> {
      let towns = (0..<all).map {
        RenumberedProvinces.Town(country: "VN", then: $0 < changed ? "44" : now, now: now)
      }
      return RenumberedProvinces.countries(of: towns, known: ["VN.01", "VN.44", "FR.01"])
    }
    #expect(countries(10, of: 10) == ["VN"] && countries(8, of: 10) == ["VN"])
    #expect(countries(7, of: 10).isEmpty && countries(9, of: 9).isEmpty)
    // A number that the lists do not know has no wrong name.
    #expect(countries(10, of: 10, now: "79").isEmpty)
  }

  @Test("an area is the province that four of five of its country's places say, else none")
  func elected() {
    #expect(AreaBuilder.elected(by: ["IN.02": 8, "IN.40": 2], in: "IN") == "IN.02")
    #expect(AreaBuilder.elected(by: ["IN.02": 7, "IN.40": 2], in: "IN") == nil)
    #expect(AreaBuilder.elected(by: ["FR.A8": 8, "MC.01": 9], in: "FR") == "FR.A8")
    #expect(AreaBuilder.elected(by: [:], in: "FR") == nil)
  }

  @Test("land that is cut at 179.9° and at 89.9° south goes on to 180° and to the pole")
  func uncut() {
    func shape(_ points: (Int, Int)...) -> Shape {
      Shape(rings: [points.map { GridPoint(x: $0.0, y: $0.1) }])
    }
    let cut = shape((179_900_000, 68_000_000), (-179_900_000, -89_900_000), (179_000_000, 0))
    #expect(
      cut.uncut == shape((180_000_000, 68_000_000), (-180_000_000, -90_000_000), (179_000_000, 0)))
  }

  @Test(
    "a name of no language that is told is a language's where it is the only one in its letters")
  func onlyName() {
    func name(_ language: String, _ names: [String]) -> String? {
      Script.onlyName(of: language, in: names, simplified: Set("纽约上海".unicodeScalars))
    }
    #expect(name("ru", ["Lyon", "Лион", "リヨン", "ليون"]) == "Лион")
    #expect(name("ar", ["Lyon", "Лион", "ليون"]) == "ليون")
    #expect(name("zh", ["纽约", "紐約", "New York"]) == "纽约")
    // The beginning of the others; letters of Ukrainian and Persian alone; two that differ; one letter.
    #expect(name("ru", ["Лион", "Лион (город)", "Лион Франция"]) == "Лион")
    #expect(name("ru", ["Київ"]) == nil && name("ar", ["گرگان"]) == nil)
    #expect(name("ru", ["Пекин", "Бэйпин"]) == nil && name("ru", ["Я"]) == nil)
    #expect(name("ko", ["리옹"]) == nil)
  }
}
