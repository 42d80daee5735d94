/// A cell of a mobile network, as a modem is registered in it.
package struct CellTower: Hashable, Sendable {
  package enum Radio: String, Sendable {
    case gsm, wcdma, lte
  }

  package let radio: Radio
  /// The mobile country code and the network's code in it.
  package let country: Int
  package let network: Int
  /// The location area, or for LTE the tracking area.
  package let area: Int
  package let cell: Int

  /// Nil for numbers that stand for no cell.
  package init?(radio: Radio, country: Int, network: Int, area: Int, cell: Int) {
    guard (1...999).contains(country), (0...999).contains(network),
      (1...0xFFFD).contains(area), (1..<0xFFFF_FFFF).contains(cell)
    else { return nil }
    self.radio = radio
    self.country = country
    self.network = network
    self.area = area
    self.cell = cell
  }
}

extension CellTower {
  package var json: JSON {
    [
      "radioType": .string(radio.rawValue), "mobileCountryCode": .integer(Int64(country)),
      "mobileNetworkCode": .integer(Int64(network)), "locationAreaCode": .integer(Int64(area)),
      "cellId": .integer(Int64(cell)),
    ]
  }

  init?(_ json: JSON) {
    func number(_ name: String) -> Int? { json[name]?.integer.flatMap { Int(exactly: $0) } }
    guard let radio = json["radioType"]?.string.flatMap(Radio.init(rawValue:)),
      let country = number("mobileCountryCode"), let network = number("mobileNetworkCode"),
      let area = number("locationAreaCode"), let cell = number("cellId")
    else { return nil }
    self.init(radio: radio, country: country, network: network, area: area, cell: cell)
  }
}
