internal import LocationModel
internal import PlaceCore
internal import Platform

/// A row of an extract.
struct Thing {
  var number: Int64
  var kind: ThingKind
  var coordinate: Coordinate
  var city: String?
  private let row: [DatabaseValue]

  init?(_ row: [DatabaseValue]) {
    guard row.count >= 11, let number = row[0].integer,
      let kind = row[1].integer.flatMap(ThingKind.init),
      let latitude = row[2].integer, let longitude = row[3].integer
    else { return nil }
    coordinate = Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    guard coordinate.isValid else { return nil }
    self.number = number
    self.kind = kind
    self.row = row
    city = row[10].text
  }

  /// In a language, else the place's own.
  func name(_ locale: String?) -> String? {
    guard let own = row[4].text else { return nil }
    guard let code = locale.flatMap(Language.init)?.code, let names = row[5].text else {
      return own
    }
    return names.split(separator: "\n").first { $0.hasPrefix("\(code)=") }
      .map { String($0.dropFirst(code.count + 1)) } ?? own
  }

  /// In all languages, for comparing.
  var names: [String] {
    let others = (row[5].text ?? "").split(separator: "\n").compactMap { line in
      line.firstIndex(of: "=").map { String(line[line.index(after: $0)...]) }
    }
    return (row[4].text.map { [$0] } ?? []) + others
  }

  var hasStreet: Bool { row[7].text != nil }

  /// The address of a house that has a street, else the name. A number alone says nothing, but is all there is.
  func title(_ locale: String?) -> String? {
    kind == .address && hasStreet
      ? [row[8].text, row[7].text].compactMap(\.self).joined(separator: " ")
      : name(locale) ?? row[8].text
  }

  func placemark(_ locale: String?, source: String) -> Placemark {
    var mark = Placemark(coordinate)
    mark.thoroughfare = kind == .street ? name(locale) : row[7].text
    // A number alone says nothing.
    mark.subThoroughfare = hasStreet ? row[8].text : nil
    mark.postalCode = row[9].text
    mark.locality = city
    mark.category = kind == .named ? row[6].text : nil
    mark.name = title(locale)
    mark.source = source
    mark.id = "\(source):\(number)"
    return mark
  }
}

/// Words that differ from one by a letter: changed, missing, added, or changed with its neighbour.
enum OneLetter {
  static func variants(of word: String) -> [String] {
    let letters = Array(word.utf8)
    let alphabet = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    var others: [[UInt8]] = []
    for i in letters.indices.dropLast() {
      var other = letters
      other.swapAt(i, i + 1)
      others.append(other)
    }
    for i in letters.indices {
      var other = letters
      other.remove(at: i)
      others.append(other)
      for letter in alphabet {
        var other = letters
        other[i] = letter
        others.append(other)
      }
    }
    for i in 0...letters.count {
      for letter in alphabet { others.append(letters[..<i] + [letter] + letters[i...]) }
    }
    return others.map { String(decoding: $0, as: UTF8.self) }
  }
}
