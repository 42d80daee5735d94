internal import PlaceCore
internal import Platform

/// Large lakes: rings and names of the R package maps (Debian's r-cran-maps).
struct Lakes {
  /// The rings of each lake: the shore and its islands.
  private(set) var shapes: [(key: String, shape: Shape)] = []

  init(_ folder: String) throws {
    let names = String(
      decoding: try File.bytes(of: folder + "/lakes.N", atMost: 1 << 20), as: UTF8.self)
    let lines = try File.bytes(of: folder + "/lakes.L", atMost: 1 << 24)
    var rings: [String: [[GridPoint]]] = [:]
    for (i, line) in names.split(separator: "\n").enumerated() {
      let parts = line.prefix { $0 != "\t" }.split(separator: ":").map(String.init)
      // `Great Lakes:Huron:2` is an island, or a bay, of `Great Lakes:Huron`.
      let key = parts.filter { Int($0) == nil }.prefix(2).joined(separator: ":")
      guard let ring = Self.ring(i, in: lines) else { continue }
      rings[Self.same[key] ?? key, default: []].append(ring)
    }
    for (key, rings) in rings.sorted(by: { $0.key < $1.key }) {
      if key == Self.joined {
        shapes += Self.parts(Shape(rings: rings))
      } else if Self.names[key] != nil {
        shapes.append((key, Shape(rings: rings)))
      }
    }
  }

  // A head of two numbers; for each line its offset, how many points it has, a kind and its corners; then the
  // points in radians.
  private static func ring(_ i: Int, in bytes: [UInt8]) -> [GridPoint]? {
    func number(_ at: Int) -> UInt32? {
      guard at >= 0, at + 4 <= bytes.count else { return nil }
      return (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }
    guard let offset = number(8 + 28 * i).map(Int.init), let count = number(12 + 28 * i),
      count < 100_000
    else { return nil }
    let points = (0..<Int(count)).compactMap { k -> GridPoint? in
      guard let x = number(offset + 8 * k), let y = number(offset + 8 * k + 4) else { return nil }
      func scaled(_ bits: UInt32) -> Int {
        Int((Double(Float(bitPattern: bits)) * 180 / .pi * 1e6).rounded())
      }
      return GridPoint(x: scaled(x), y: scaled(y))
    }
    return points.count == Int(count) && count > 2 ? points : nil
  }

  private static let joined = "Great Lakes:Superior, Huron, Michigan"
  private static let same = [
    "Great Lakes:Superior": joined, "Great Lakes:Huron": joined, "Great Lakes:Michigan": joined,
  ]

  /// One shore surrounds three lakes: the rapids of Sault Ste. Marie and the straits of Mackinac part them.
  private static func parts(_ shape: Shape) -> [(key: String, shape: Shape)] {
    func part(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>) -> Shape {
      func scaled(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
        range.lowerBound * 10_000...range.upperBound * 10_000
      }
      return shape.clipped(Shape.Box(x: scaled(x), y: scaled(y)))
    }
    return [
      ("Superior", part(-9300 ... -8440, 4635...4950)),
      ("Michigan", part(-8900 ... -8475, 4100...4635)),
      ("Huron", part(-8475 ... -7900, 4200...4635)),
      ("Huron", part(-8440 ... -7900, 4635...4700)),
    ]
  }

  /// Of each shape's key, in the order of `Sea.languages`.
  static let names: [String: String] = {
    let lines = table.split(separator: "\n").map { $0.split(separator: "=").map(String.init) }
    return Dictionary(lines.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
  }()

  private static let table = """
    Superior=Lake Superior|슈피리어호|スペリオル湖|Oberer See|Lac Supérieur|Lago Superior|بحيرة سوبيريور|苏必利尔湖|Верхнее озеро
    Michigan=Lake Michigan|미시간호|ミシガン湖|Michigansee|Lac Michigan|Lago Míchigan|بحيرة ميشيغان|密歇根湖|Мичиган
    Huron=Lake Huron|휴런호|ヒューロン湖|Huronsee|Lac Huron|Lago Hurón|بحيرة هورون|休伦湖|Гурон
    Great Lakes:Erie=Lake Erie|이리호|エリー湖|Eriesee|Lac Érié|Lago Erie|بحيرة إيري|伊利湖|Эри
    Great Lakes:Ontario=Lake Ontario|온타리오호|オンタリオ湖|Ontariosee|Lac Ontario|Lago Ontario|بحيرة أونتاريو|安大略湖|Онтарио
    Aral Sea=Aral Sea|아랄해|アラル海|Aralsee|Mer d’Aral|Mar de Aral|بحر آرال|咸海|Аральское море
    Great Bear Lake=Great Bear Lake|그레이트베어호|グレートベア湖|Großer Bärensee|Grand lac de l’Ours|Gran Lago del Oso|بحيرة الدب الكبير|大熊湖|Большое Медвежье озеро
    Great Slave Lake=Great Slave Lake|그레이트슬레이브호|グレートスレーブ湖|Großer Sklavensee|Grand lac des Esclaves|Gran Lago del Esclavo|بحيرة العبيد الكبرى|大奴湖|Большое Невольничье озеро
    Great Salt Lake=Great Salt Lake|그레이트솔트호|グレートソルト湖|Großer Salzsee|Grand Lac Salé|Gran Lago Salado|البحيرة المالحة الكبرى|大盐湖|Большое Солёное озеро
    IJsselmeer=IJsselmeer|에이설호|アイセル湖|IJsselmeer|IJsselmeer|IJsselmeer|بحيرة آيسل|艾瑟尔湖|Эйсселмер
    Lago Titicaca=Lake Titicaca|티티카카호|チチカカ湖|Titicacasee|Lac Titicaca|Lago Titicaca|بحيرة تيتيكاكا|的的喀喀湖|Титикака
    Lago de Nicaragua=Lake Nicaragua|니카라과호|ニカラグア湖|Nicaraguasee|Lac Nicaragua|Lago de Nicaragua|بحيرة نيكاراغوا|尼加拉瓜湖|Никарагуа
    Lake Albert=Lake Albert|앨버트호|アルバート湖|Albertsee|Lac Albert|Lago Alberto|بحيرة ألبرت|艾伯特湖|Альберт
    Lake Athabasca=Lake Athabasca|애서배스카호|アサバスカ湖|Athabascasee|Lac Athabasca|Lago Athabasca|بحيرة أثاباسكا|阿萨巴斯卡湖|Атабаска
    Lake Baikal=Lake Baikal|바이칼호|バイカル湖|Baikalsee|Lac Baïkal|Lago Baikal|بحيرة بايكال|贝加尔湖|Байкал
    Lake Balkhash=Lake Balkhash|발하슈호|バルハシ湖|Balchaschsee|Lac Balkhach|Lago Baljash|بحيرة بلخاش|巴尔喀什湖|Балхаш
    Lake Chad=Lake Chad|차드호|チャド湖|Tschadsee|Lac Tchad|Lago Chad|بحيرة تشاد|乍得湖|Чад
    Lake Ladoga=Lake Ladoga|라도가호|ラドガ湖|Ladogasee|Lac Ladoga|Lago Ládoga|بحيرة لادوغا|拉多加湖|Ладожское озеро
    Lake Malawi=Lake Malawi|말라위호|マラウイ湖|Malawisee|Lac Malawi|Lago Malaui|بحيرة ملاوي|马拉维湖|Малави
    Lake Manitoba=Lake Manitoba|매니토바호|マニトバ湖|Manitobasee|Lac Manitoba|Lago Manitoba|بحيرة مانيتوبا|马尼托巴湖|Манитоба
    Lake Okeechobee=Lake Okeechobee|오키초비호|オキーチョビー湖|Okeechobeesee|Lac Okeechobee|Lago Okeechobee|بحيرة أوكيتشوبي|奥基乔比湖|Окичоби
    Lake Onega=Lake Onega|오네가호|オネガ湖|Onegasee|Lac Onega|Lago Onega|بحيرة أونيغا|奥涅加湖|Онежское озеро
    Lake Tana=Lake Tana|타나호|タナ湖|Tanasee|Lac Tana|Lago Tana|بحيرة تانا|塔纳湖|Тана
    Lake Tanganyika=Lake Tanganyika|탕가니카호|タンガニーカ湖|Tanganjikasee|Lac Tanganyika|Lago Tanganica|بحيرة تنجانيقا|坦噶尼喀湖|Танганьика
    Lake Victoria=Lake Victoria|빅토리아호|ビクトリア湖|Victoriasee|Lac Victoria|Lago Victoria|بحيرة فيكتوريا|维多利亚湖|Виктория
    Lake Winnipeg=Lake Winnipeg|위니펙호|ウィニペグ湖|Winnipegsee|Lac Winnipeg|Lago Winnipeg|بحيرة وينيبيغ|温尼伯湖|Виннипег
    Malaren=Lake Mälaren|멜라렌호|メーラレン湖|Mälaren|Lac Mälar|Lago Mälaren|بحيرة ميلارين|梅拉伦湖|Меларен
    Vanern=Lake Vänern|베네른호|ヴェーネルン湖|Vänern|Lac Vänern|Lago Vänern|بحيرة فانرن|维纳恩湖|Венерн
    Ysyk Kol=Issyk-Kul|이식쿨호|イシク・クル湖|Yssykköl|Lac Yssyk Koul|Lago Issyk-Kul|بحيرة إيسيك كول|伊塞克湖|Иссык-Куль
    Reindeer Lake=Reindeer Lake|레인디어호|レインディア湖|Reindeer Lake|Lac Reindeer|Lago Reindeer|بحيرة رينديير|驯鹿湖|Оленье озеро
    """
}
