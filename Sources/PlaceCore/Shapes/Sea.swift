internal import Geodesy
package import LocationModel

/// A named part of an ocean, by straight lines: what is land is decided before.
package enum Sea {
  package static let languages = ["en", "ko", "ja", "de", "fr", "es", "ar", "zh", "ru"]

  /// Nil on the open ocean. Large lakes that the sea's charts draw are here, too.
  package static func name(
    at place: Coordinate, in language: String?
  ) -> (name: String, isInland: Bool)? {
    guard let sea = all.first(where: { $0.contains(place) }) else { return nil }
    return (name(of: sea.names, in: language), sea.isInland)
  }

  /// One of the names, which stand in the order of `languages`; else the English one.
  static func name(of names: Substring, in language: String?) -> String {
    let all = names.split(separator: "|")
    let place = language.flatMap(languages.firstIndex) ?? 0
    return place < all.count ? String(all[place]) : ""
  }

  private struct Area {
    var boxes: [[Double]]
    var names: Substring
    var isInland: Bool

    /// A line of the table.
    init(_ line: Substring) {
      let parts = line.split(separator: "=")
      isInland = line.hasPrefix("inland")
      boxes = parts[0].split(separator: ";").map {
        $0.split(separator: " ").compactMap { Double($0) }
      }
      names = parts[1].dropFirst()
    }

    func contains(_ place: Coordinate) -> Bool {
      boxes.contains {
        place.latitude >= $0[0] && place.latitude < $0[1] && place.longitude >= $0[2]
          && place.longitude < $0[3]
      }
    }
  }

  /// The middle of each, the metres around it, and its names.
  package static var drawn: [(middle: Coordinate, radius: Double, names: Substring)] {
    all.compactMap { sea in
      guard let box = sea.boxes.max(by: { size($0) < size($1) }) else { return nil }
      let middle = Coordinate(
        latitude: (box[0] + box[1]) / 2, longitude: (box[2] + box[3]) / 2)
      return (middle, size(box).squareRoot() / 2 * LocalPlane.perDegree, sea.names)
    }
  }

  private static func size(_ box: [Double]) -> Double {
    (box[1] - box[0]) * (box[3] - box[2]) * LocalPlane.cosine((box[0] + box[1]) / 2)
  }

  private static let all = table.split(separator: "\n").map(Area.init)

  /// South, north, west and east, then the names. Small parts stand before the large ones that they lie in.
  private static let table = """
    inland 36.4 47.3 46.5 55 = Caspian Sea|카스피해|カスピ海|Kaspisches Meer|Mer Caspienne|Mar Caspio|بحر قزوين|里海|Каспийское море
    40.2 41.2 26.7 29.9 = Sea of Marmara|마르마라해|マルマラ海|Marmarameer|Mer de Marmara|Mar de Mármara|بحر مرمرة|马尔马拉海|Мраморное море
    45.3 47.4 34.8 39.4 = Sea of Azov|아조프해|アゾフ海|Asowsches Meer|Mer d’Azov|Mar de Azov|بحر آزوف|亚速海|Азовское море
    40.8 47 27.3 41.8 = Black Sea|흑해|黒海|Schwarzes Meer|Mer Noire|Mar Negro|البحر الأسود|黑海|Чёрное море
    35.2 41 22.8 28.2 = Aegean Sea|에게해|エーゲ海|Ägäisches Meer|Mer Égée|Mar Egeo|بحر إيجة|爱琴海|Эгейское море
    43.5 45.9 12 16; 42 43.5 13.5 19; 40.2 42 15 19.9 = Adriatic Sea|아드리아해|アドリア海|Adriatisches Meer|Mer Adriatique|Mar Adriático|البحر الأدرياتيكي|亚得里亚海|Адриатическое море
    43.3 48 -9.5 -1 = Bay of Biscay|비스케이만|ビスケー湾|Golf von Biskaya|Golfe de Gascogne|Golfo de Vizcaya|خليج بسكاي|比斯开湾|Бискайский залив
    30 46 -5.6 36.3 = Mediterranean Sea|지중해|地中海|Mittelmeer|Mer Méditerranée|Mar Mediterráneo|البحر المتوسط|地中海|Средиземное море
    12.6 30.1 32 43.4 = Red Sea|홍해|紅海|Rotes Meer|Mer Rouge|Mar Rojo|البحر الأحمر|红海|Красное море
    10.3 15.5 43.2 51.3 = Gulf of Aden|아덴만|アデン湾|Golf von Aden|Golfe d’Aden|Golfo de Adén|خليج عدن|亚丁湾|Аденский залив
    23.9 30.7 47.5 56.3 = Persian Gulf|페르시아만|ペルシア湾|Persischer Golf|Golfe Persique|Golfo Pérsico|الخليج العربي|波斯湾|Персидский залив
    7 25.6 51.3 77.5 = Arabian Sea|아라비아해|アラビア海|Arabisches Meer|Mer d’Arabie|Mar Arábigo|بحر العرب|阿拉伯海|Аравийское море
    6 17.8 92.8 99 = Andaman Sea|안다만해|アンダマン海|Andamanensee|Mer d’Andaman|Mar de Andamán|بحر أندمان|安达曼海|Андаманское море
    6 23 79.8 95 = Bay of Bengal|벵골만|ベンガル湾|Golf von Bengalen|Golfe du Bengale|Golfo de Bengala|خليج البنغال|孟加拉湾|Бенгальский залив
    6 13.8 99 104.9 = Gulf of Thailand|타이만|タイランド湾|Golf von Thailand|Golfe de Thaïlande|Golfo de Tailandia|خليج تايلاند|泰国湾|Сиамский залив
    0 23.5 104 121 = South China Sea|남중국해|南シナ海|Südchinesisches Meer|Mer de Chine méridionale|Mar de la China Meridional|بحر الصين الجنوبي|南海|Южно-Китайское море
    -8 -3 105 116.5 = Java Sea|자와해|ジャワ海|Javasee|Mer de Java|Mar de Java|بحر جاوة|爪哇海|Яванское море
    37 41 117.5 121.6 = Bohai Sea|보하이해|渤海|Bohai-Meer|Mer de Bohai|Mar de Bohai|بحر بوهاي|渤海|Бохайское море
    33.2 40 119 126.9 = Yellow Sea|황해|黄海|Gelbes Meer|Mer Jaune|Mar Amarillo|البحر الأصفر|黄海|Жёлтое море
    24.5 33.2 119 130.2 = East China Sea|동중국해|東シナ海|Ostchinesisches Meer|Mer de Chine orientale|Mar de la China Oriental|بحر الصين الشرقي|东海|Восточно-Китайское море
    35 41 127.3 140.2; 41 46 130 141; 46 51.8 138 142.2 = Sea of Japan|동해|日本海|Japanisches Meer|Mer du Japon|Mar del Japón|بحر اليابان|日本海|Японское море
    43.7 61.5 137 156.5 = Sea of Okhotsk|오호츠크해|オホーツク海|Ochotskisches Meer|Mer d’Okhotsk|Mar de Ojotsk|بحر أوخوتسك|鄂霍次克海|Охотское море
    53 66 162.5 180; 53 66 -180 -157.5 = Bering Sea|베링해|ベーリング海|Beringmeer|Mer de Béring|Mar de Bering|بحر بيرنغ|白令海|Берингово море
    54 61 -157.5 -132 = Gulf of Alaska|알래스카만|アラスカ湾|Golf von Alaska|Golfe d’Alaska|Golfo de Alaska|خليج ألاسكا|阿拉斯加湾|Залив Аляска
    51 64 -95 -78 = Hudson Bay|허드슨만|ハドソン湾|Hudson Bay|Baie d’Hudson|Bahía de Hudson|خليج هدسون|哈得孙湾|Гудзонов залив
    67 78 -80 -54 = Baffin Bay|배핀만|バフィン湾|Baffin Bay|Baie de Baffin|Bahía de Baffin|خليج بافن|巴芬湾|Море Баффина
    18 31 -98 -84.5; 22.8 31 -84.5 -81 = Gulf of Mexico|멕시코만|メキシコ湾|Golf von Mexiko|Golfe du Mexique|Golfo de México|خليج المكسيك|墨西哥湾|Мексиканский залив
    9 18.4 -88.5 -61; 18.4 20 -88 -68; 20 21.7 -87.5 -77.5 = Caribbean Sea|카리브해|カリブ海|Karibisches Meer|Mer des Caraïbes|Mar Caribe|البحر الكاريبي|加勒比海|Карибское море
    59.2 60.8 23 30.5 = Gulf of Finland|핀란드만|フィンランド湾|Finnischer Meerbusen|Golfe de Finlande|Golfo de Finlandia|خليج فنلندا|芬兰湾|Финский залив
    60.2 66 17 25.7 = Gulf of Bothnia|보트니아만|ボスニア湾|Bottnischer Meerbusen|Golfe de Botnie|Golfo de Botnia|خليج بوثنيا|波的尼亚湾|Ботнический залив
    53.5 60.2 12.6 24.5; 53.8 55 9.8 12.6 = Baltic Sea|발트해|バルト海|Ostsee|Mer Baltique|Mar Báltico|بحر البلطيق|波罗的海|Балтийское море
    48.4 51 -5.5 1.7 = English Channel|영국 해협|イギリス海峡|Ärmelkanal|Manche|Canal de la Mancha|القنال الإنجليزي|英吉利海峡|Ла-Манш
    52 54.9 -6.4 -2.8 = Irish Sea|아일랜드해|アイリッシュ海|Irische See|Mer d’Irlande|Mar de Irlanda|البحر الأيرلندي|爱尔兰海|Ирландское море
    51 61 -3.3 8.6 = North Sea|북해|北海|Nordsee|Mer du Nord|Mar del Norte|بحر الشمال|北海|Северное море
    63.7 68 32 44 = White Sea|백해|白海|Weißes Meer|Mer Blanche|Mar Blanco|البحر الأبيض الشمالي|白海|Белое море
    68 80 18 58 = Barents Sea|바렌츠해|バレンツ海|Barentssee|Mer de Barents|Mar de Barents|بحر بارنتس|巴伦支海|Баренцево море
    61 73 -8 18 = Norwegian Sea|노르웨이해|ノルウェー海|Europäisches Nordmeer|Mer de Norvège|Mar de Noruega|البحر النرويجي|挪威海|Норвежское море
    68 81 58 100 = Kara Sea|카라해|カラ海|Karasee|Mer de Kara|Mar de Kara|بحر كارا|喀拉海|Карское море
    70 81 105 140 = Laptev Sea|랍테프해|ラプテフ海|Laptewsee|Mer de Laptev|Mar de Láptev|بحر لابتيف|拉普捷夫海|Море Лаптевых
    -17.6 -11 135.5 141.8 = Gulf of Carpentaria|카펀테리아만|カーペンタリア湾|Carpentaria-Golf|Golfe de Carpentarie|Golfo de Carpentaria|خليج كاربنتاريا|卡奔塔利亚湾|Залив Карпентария
    -25 -10 143 160 = Coral Sea|산호해|珊瑚海|Korallenmeer|Mer de Corail|Mar del Coral|بحر المرجان|珊瑚海|Коралловое море
    -44 -30 150 172 = Tasman Sea|태즈먼해|タスマン海|Tasmansee|Mer de Tasman|Mar de Tasmania|بحر تسمان|塔斯曼海|Тасманово море
    """
}
