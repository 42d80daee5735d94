/// Codes that stand for a region's name in addresses.
package enum Regions {
  /// Nil where addresses write the name.
  package static func code(of region: String, in country: String?) -> String? {
    country.flatMap { codes[$0] }?[Folding.fold(region)]
  }

  private static let codes: [String: [String: String]] = [
    "US": table(
      """
      AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,
      DC District of Columbia,DC Washington D.C.,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,
      IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,
      MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,
      NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,
      OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,
      UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming
      """),
    "CA": table(
      """
      AB Alberta,BC British Columbia,BC Colombie-Britannique,MB Manitoba,NB New Brunswick,
      NB Nouveau-Brunswick,NL Newfoundland and Labrador,NL Terre-Neuve-et-Labrador,NS Nova Scotia,
      NS Nouvelle-Écosse,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,
      PE Île-du-Prince-Édouard,QC Quebec,SK Saskatchewan,YT Yukon
      """),
    "AU": table(
      """
      ACT Australian Capital Territory,NSW New South Wales,NT Northern Territory,QLD Queensland,
      SA South Australia,TAS Tasmania,VIC Victoria,WA Western Australia
      """),
    "BR": table(
      """
      AC Acre,AL Alagoas,AP Amapá,AM Amazonas,BA Bahia,CE Ceará,DF Distrito Federal,DF Federal District,
      ES Espírito Santo,GO Goiás,MA Maranhão,MT Mato Grosso,MS Mato Grosso do Sul,MG Minas Gerais,PA Pará,
      PB Paraíba,PR Paraná,PE Pernambuco,PI Piauí,RJ Rio de Janeiro,RN Rio Grande do Norte,
      RS Rio Grande do Sul,RO Rondônia,RR Roraima,SC Santa Catarina,SP São Paulo,SE Sergipe,TO Tocantins
      """),
  ]

  private static func table(_ text: String) -> [String: String] {
    text.split { $0 == "," || $0 == "\n" }.reduce(into: [:]) { table, entry in
      let words = entry.split(separator: " ", maxSplits: 1)
      if words.count == 2 { table[Folding.fold(String(words[1]))] = String(words[0]) }
    }
  }
}
