package import LocationModel

// Values; an empty one is what holds without any file.
extension String {
  package func number(
    _ key: String, _ range: ClosedRange<Double>, _ standard: Double
  ) throws(Unusable) -> Double {
    if isEmpty { return standard }
    guard let number = Double(self), range.contains(number) else {
      throw Unusable(
        what: "\(key)= wants a number from \(range.lowerBound.short) to \(range.upperBound.short)")
    }
    return number
  }

  package func duration(
    _ key: String, _ range: ClosedRange<Double>, _ standard: Duration
  ) throws(Unusable) -> Duration {
    if isEmpty { return standard }
    let digits = prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let units = ["": 1.0, "s": 1, "min": 60, "h": 3600, "d": 86_400]
    guard let count = Double(digits),
      let unit = units[self[digits.endIndex...].filter { $0 != " " }],
      range.contains(count * unit)
    else { throw Unusable(what: "\(key)= wants a time such as 90, 15min, 12h or 30d") }
    return Duration(clamping: count * unit)
  }

  package func bytes(
    _ key: String, _ range: ClosedRange<Int>, _ standard: Int
  ) throws(Unusable) -> Int {
    if isEmpty { return standard }
    let digits = prefix { $0.isASCII && $0.isNumber }
    let units = ["": 0, "K": 10, "M": 20, "G": 30]
    guard let count = Int(digits), count <= 1 << 32,
      let shift = units[String(self[digits.endIndex...])],
      range.contains(count << shift)
    else { throw Unusable(what: "\(key)= wants a size such as 200M or 2G") }
    return count << shift
  }

  package func truth(_ key: String, _ standard: Bool) throws(Unusable) -> Bool {
    switch lowercased() {
    case "": standard
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: throw Unusable(what: "\(key)= is yes or no")
    }
  }

  package func wholePath(_ key: String) throws(Unusable) -> String {
    guard hasPrefix("/") else { throw Unusable(what: "\(key)= wants a whole path") }
    return self
  }
}

extension Double {
  fileprivate var short: String { self < 1e15 && self == rounded() ? "\(Int64(self))" : "\(self)" }
}
