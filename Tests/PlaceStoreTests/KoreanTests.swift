import Foundation
import LocationModel
import PlaceStore
import Testing

/// With the world that `make places` made.
@Suite("Places of Korea") struct KoreanTests {
  private let atlas = Atlas(folders: [WorldTests.folder])

  @Test(
    "a district is found by its names, in short too, and by what it lies in",
    arguments: [
      ("서울 중구", "대한민국 서울특별시 중구"), ("부산 중구", "대한민국 부산광역시 중구"),
      ("대한민국 서울특별시 중구 명동", "대한민국 서울특별시 중구 명동1가"),
      ("강남구 역삼동", "대한민국 서울특별시 강남구 역삼동"), ("명동, 서울", "대한민국 서울특별시 중구 명동1가"),
      // Of ten with the name, that of the largest province.
      ("명동 한국", "대한민국 서울특별시 중구 명동1가"), ("명동", "대한민국 서울특별시 중구 명동1가"),
      ("해운대", "대한민국 부산광역시 해운대구"),
      ("경기도", "대한민국 경기도"), ("제주", "대한민국 제주특별자치도 제주시"),
    ])
  func districts(text: String, address: String) throws {
    let mark = try #require(try atlas.geocode(GeocodeRequest(text)).first)
    #expect(mark.formattedAddress == address)
  }

  @Test(
    "a city or a province is one answer, though its land is a district too",
    arguments: ["서울", "부산", "경기도", "제주"])
  func once(text: String) throws {
    let marks = try atlas.search(SearchRequest(.text(text)))
    let addresses = marks.compactMap(\.formattedAddress)
    #expect(Set(addresses).count == addresses.count, "\(addresses)")
  }

  private static let names = [
    "서울", "부산", "인천", "대구", "대전", "광주", "울산", "수원", "창원", "성남", "고양", "부천", "청주", "안산",
    "전주", "안양", "천안", "남양주", "포항", "김해", "평택", "제주", "구미", "진주", "원주", "춘천", "여수", "강릉", "경주",
    "목포", "순천", "군산", "익산", "아산", "통영", "안동", "속초", "서산", "동해",
  ]

  @Test("a person in Korea finds its cities by two syllables, and most by one", arguments: 1...2)
  func syllables(count: Int) throws {
    var found = 0
    for name in Self.names {
      var request = CompletionRequest(String(name.prefix(count)))
      request.locale = "ko"
      request.near = Coordinate(latitude: 36.5, longitude: 127.5)
      request.limit = 5
      if try atlas.complete(request).contains(where: { $0.title.hasPrefix(name) }) { found += 1 }
    }
    #expect(found >= (count == 1 ? 35 : Self.names.count), "\(found) of \(Self.names.count)")
  }

  @Test("a syllable that is whole stands before one that it may become")
  func wholeSyllable() throws {
    var request = CompletionRequest("서")
    request.locale = "ko"
    request.near = Coordinate(latitude: 36.5, longitude: 127.5)
    let titles = try atlas.complete(request).map(\.title)
    #expect(titles.first == "서울특별시" && titles.prefix(5).allSatisfy { $0.hasPrefix("서") })
  }
}
