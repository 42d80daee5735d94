import LocationModel
import PlaceCore
import Testing

@Suite("Addresses") struct AddressFormatTests {
  /// COUNTRY|number|street|district|city|region|postcode|country's name
  private static func mark(_ text: String) -> Placemark {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    var mark = Placemark(Coordinate(latitude: 0, longitude: 0))
    func part(_ i: Int) -> String? { parts[i].isEmpty ? nil : parts[i] }
    mark.isoCountryCode = part(0)
    mark.subThoroughfare = part(1)
    mark.thoroughfare = part(2)
    mark.subLocality = part(3)
    mark.locality = part(4)
    mark.administrativeArea = part(5)
    mark.postalCode = part(6)
    mark.country = part(7)
    return mark
  }

  @Test(
    "an address is one line as its country writes it",
    arguments: [
      (
        "US|1|Main St||Springfield|Illinois|62701|United States",
        "1 Main St, Springfield, IL 62701, United States"
      ),
      (
        "CA|111|Wellington St||Ottawa|Ontario|K1A 0A9|Canada",
        "111 Wellington St, Ottawa, ON K1A 0A9, Canada"
      ),
      (
        "CA|1|Rue Sherbrooke||Montréal|Québec|H2X 1X4|Canada",
        "1 Rue Sherbrooke, Montréal, QC H2X 1X4, Canada"
      ),
      (
        "AU|1|Macquarie St||Sydney|New South Wales|2000|Australia",
        "1 Macquarie St, Sydney NSW 2000, Australia"
      ),
      (
        "GB|10|Downing Street||London|England|SW1A 2AA|United Kingdom",
        "10 Downing Street, London SW1A 2AA, United Kingdom"
      ),
      (
        "DE|5|Unter den Linden|Mitte|Berlin|Berlin|10117|Deutschland",
        "Unter den Linden 5, 10117 Berlin, Deutschland"
      ),
      ("AT|8|Stephansplatz||Wien|Wien|1010|Österreich", "Stephansplatz 8, 1010 Wien, Österreich"),
      ("CH|3|Bundesplatz||Bern|Bern|3005|Schweiz", "Bundesplatz 3, 3005 Bern, Schweiz"),
      (
        "NL|1|Dam||Amsterdam|Noord-Holland|1012 JS|Nederland", "Dam 1, 1012 JS Amsterdam, Nederland"
      ),
      (
        "FR|99|Rue de Rivoli||Paris|Île-de-France|75001|France",
        "99 Rue de Rivoli, 75001 Paris, France"
      ),
      ("MC|31|Rue Grimaldi||Monaco|Monaco|98000|Monaco", "31 Rue Grimaldi, 98000 Monaco, Monaco"),
      ("IT|12|Via Roma||Torino||10123|Italia", "Via Roma 12, 10123 Torino, Italia"),
      ("ES|5|Calle Mayor||Madrid|Madrid|28013|España", "Calle Mayor, 5, 28013 Madrid, España"),
      (
        "PL|3|Krakowskie Przedmieście||Warszawa|Mazowieckie|00-047|Polska",
        "Krakowskie Przedmieście 3, 00-047 Warszawa, Polska"
      ),
      (
        "HU|1|Kossuth tér||Budapest||1055|Magyarország",
        "Budapest, Kossuth tér 1, 1055, Magyarország"
      ),
      (
        "BR|1578|Avenida Paulista|Bela Vista|São Paulo|São Paulo|01310-200|Brasil",
        "Avenida Paulista, 1578 - Bela Vista, São Paulo, 01310-200, Brasil"
      ),
      (
        "BR|10|Rua XV|Centro|Curitiba|Paraná|80020-310|Brasil",
        "Rua XV, 10 - Centro, Curitiba - PR, 80020-310, Brasil"
      ),
      (
        "RU|7|Тверская улица||Москва|Москва|125009|Россия",
        "Тверская улица, 7, Москва, 125009, Россия"
      ),
      (
        "AR|50|Balcarce||Rosario|Santa Fe|2000|Argentina",
        "Balcarce 50, 2000 Rosario, Santa Fe, Argentina"
      ),
      (
        "MX|1|Avenida Juárez|Centro|Puebla|Puebla|72000|México",
        "Avenida Juárez 1, Centro, 72000 Puebla, México"
      ),
      (
        "TR|1|İstiklal Caddesi|Beyoğlu|İstanbul|İstanbul|34433|Türkiye",
        "İstiklal Caddesi 1, 34433 Beyoğlu, İstanbul, Türkiye"
      ),
      ("EG|4|شارع التحرير||القاهرة||11511|مصر", "4 شارع التحرير، القاهرة 11511، مصر"),
      ("KR|110|세종대로||중구|서울특별시|04524|대한민국", "대한민국 서울특별시 중구 세종대로 110 (04524)"),
      ("KR|||명동|중구|서울특별시||대한민국", "대한민국 서울특별시 중구 명동"),
      (
        "KR|110|Sejong-daero||Jung-gu|Seoul|04524|South Korea",
        "110 Sejong-daero, Jung-gu, Seoul 04524, South Korea"
      ),
      ("JP|1-1|千代田||千代田区|東京都|100-8111|日本", "日本 〒100-8111 東京都千代田区千代田1-1"),
      ("CN|1|东长安街|东城区|北京市|北京市||中国", "中国北京市东城区东长安街1号"),
      ("TW|122|重慶南路|中正區|臺北市|||臺灣", "臺灣臺北市中正區重慶南路122號"),
    ])
  func line(text: String, line: String) {
    #expect(AddressFormat.line(Self.mark(text)) == line)
  }

  @Test(
    "where there is no street, the region says which place it is",
    arguments: [
      ("DE||||Potsdam|Brandenburg||Germany", "Potsdam, Brandenburg, Germany"),
      ("FR|||Le Marais|Paris|Île-de-France||France", "Le Marais, Paris, Île-de-France, France"),
      ("US||||Paris|Texas||United States", "Paris, TX, United States"),
      ("MC||||Monaco|Monaco||Monaco", "Monaco"),
      ("FR||||파리|일드프랑스||프랑스", "프랑스, 파리, 일드프랑스"),
      ("|||||||France", "France"),
    ])
  func area(text: String, line: String) {
    #expect(AddressFormat.line(Self.mark(text)) == line)
  }

  @Test("a place of interest stands where a street would, and an ocean is its name")
  func named() {
    var mark = Self.mark("MC||||Monaco|Monaco|98000|Monaco")
    mark.name = "Palais Princier"
    #expect(AddressFormat.line(mark) == "Palais Princier, 98000 Monaco, Monaco")
    mark.thoroughfare = "Place du Palais"
    #expect(AddressFormat.line(mark) == "Place du Palais, 98000 Monaco, Monaco")
    var sea = Placemark(Coordinate(latitude: 0, longitude: -140))
    #expect(AddressFormat.line(sea) == nil)
    sea.name = "Pacific Ocean"
    #expect(AddressFormat.line(sea) == "Pacific Ocean")
  }
}
