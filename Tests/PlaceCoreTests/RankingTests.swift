import Testing

@testable import PlaceCore

@Suite("Words of questions about places") struct RankingTests {
  @Test(
    "a word for a kind of place is one alone, or with a word for near",
    arguments: [
      ("Cafés", "cafe"), ("카페", "cafe"), ("근처 카페", "cafe"), ("Apotheke in der Nähe", "pharmacy"),
      ("ATM near me", "atm"), ("加油站", "gasStation"), ("station service", "gasStation"),
      ("駅", "station"),
      ("МЕТРО", "station"), ("مطعم", "restaurant"), ("cerca hotel", "hotel"), ("Hôtel", "hotel"),
      ("Café de Paris", nil), ("Hotel California", nil), ("", nil),
    ] as [(String, String?)])
  func kinds(text: String, category: String?) {
    #expect(CategoryWords.category(of: Folding.tokens(text)) == category)
  }

  @Test(
    "a short word of an address has meanings, others have none",
    arguments: [
      ("bd", "boulevard"), ("Av.", "avenue"), ("St", "street"), ("st", "saint"),
      ("Str.", "strasse"),
      ("Hauptstr.", "hauptstrasse"), ("ул", "улица"), ("Rd", "road"),
    ])
  func short(text: String, meaning: String) {
    let word = Folding.tokens(text)[0]
    #expect(Abbreviations.meanings(of: word).contains(Folding.fold(meaning)))
    #expect(Abbreviations.meanings(of: "grimaldi").isEmpty)
  }

  @Test("a number is a part of an address between commas, or beside the name of a town")
  func townsOfAddress() {
    func parts(_ text: String) -> [String] {
      AddressText.towns(of: text).filter(\.isPart).map(\.name)
    }
    #expect(parts("10 Downing St, SW1A 2AA") == ["SW1A 2AA"])
    #expect(parts("Elm St 2510") == [])
    let names = AddressText.towns(of: "Elm St 2510").map(\.name)
    #expect(!names.contains("St 2510") && names.contains("Elm"))
  }

  @Test("a name before a comma is not cut in two, a street and its town are")
  func wholeNames() {
    func names(_ text: String) -> [String] { AddressText.towns(of: text).map(\.name) }
    #expect(!names("Puerto Rico, USA").contains("Rico USA"))
    #expect(names("Puerto Rico, USA").contains("Puerto Rico"))
    #expect(names("Marienplatz 1 München, Germany").contains("München Germany"))
  }

  @Test("a text may be a street and its town in several ways, the likely first")
  func splits() {
    let comma = TownSplits.of("31 Rue Grimaldi, Monaco")
    #expect(comma.first?.street == "31 Rue Grimaldi" && comma.first?.town.name == "Monaco")
    let divided = TownSplits.of("Rue Grimaldi, Monaco, Germany")
    #expect(divided[1].town == TownText(name: "Monaco", behind: ["Germany"]))
    for (text, street, town) in [
      ("서울 중구 세종대로 110", "세종대로 110", "서울 중구"), ("Hauptstr Bad Honnef", "Hauptstr", "Bad Honnef"),
    ] {
      #expect(TownSplits.of(text).contains { $0.street == street && $0.town.name == town })
    }
    func streets(_ isWithin: Bool) -> [String] {
      TownSplits.of("Èze, France", isWithin: isWithin).map(\.street)
    }
    #expect(streets(false).contains("France") && Set(streets(true)) == ["Èze"])
    #expect(TownSplits.of("one").isEmpty && TownSplits.of(" , ").isEmpty)
    for text in ["7 Avenue Albert II Monaco", "Mairie, Monaco", "서울、중구"] {
      #expect(TownSplits.isAddress(text))
    }
    #expect(!TownSplits.isAddress("rue grim") && !TownSplits.isAddress(""))
  }
}
