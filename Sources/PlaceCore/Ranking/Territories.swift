/// Territories that have a code of their own, and the country that they are of.
package enum Territories {
  private static let parents: [String: String] = {
    let lists = [
      "US": "PR GU MP VI AS UM", "CN": "HK MO", "FR": "RE GP MQ GF YT PM BL MF WF PF NC TF",
      "NL": "AW CW SX BQ", "GB": "GG JE IM GI FK BM KY TC VG AI MS SH IO PN GS",
      "AU": "CX CC NF HM", "NO": "SJ BV", "DK": "GL FO", "FI": "AX", "MA": "EH", "NZ": "TK CK NU",
    ]
    return lists.reduce(into: [:]) { parents, list in
      for code in list.value.split(separator: " ") { parents[String(code)] = list.key }
    }
  }()

  package static func parent(_ code: String) -> String { parents[code] ?? code }
}

/// Countries and provinces that are one city: towns within are its parts.
package enum CityStates {
  package static let codes: Set = [
    "AT.09", "BY.04", "CZ.52", "DE.04", "DE.16", "GI", "HU.05", "LV.25", "MC", "NO.12", "RO.10",
    "RU.48", "RU.66", "SG", "TH.40", "US.DC",
  ]
}
