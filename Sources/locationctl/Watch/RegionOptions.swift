import Console
import Glibc
import LocationModel

/// Regions as people give them.
extension Region {
  /// `ID,LAT,LON,RADIUS` or `ID,UUID[,MAJOR[,MINOR]]`.
  init(option text: String) throws(Failure) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if let i = parts.indices.dropFirst().last(where: { BeaconUUID(parts[$0]) != nil }),
      parts.count - i <= 3, parts[..<i].contains(where: { !$0.isEmpty })
    {
      let words = parts[i...].dropFirst()
      self.init(
        identifier: parts[..<i].joined(separator: ","),
        .beacon(
          try BeaconConstraint(
            uuid: parts[i], major: words.first, minor: words.dropFirst().first)))
      return
    }
    let numbers = parts.suffix(3).compactMap { Double($0) }
    let identifier = parts.dropLast(3).joined(separator: ",")
    guard !identifier.isEmpty, numbers.count == 3 else {
      throw Failure(
        .usage, "--region wants ID,LAT,LON,RADIUS or ID,UUID[,MAJOR[,MINOR]], not '\(text)'")
    }
    self.init(
      identifier: identifier,
      .circle(Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2]))
  }

  /// The features of a GeoJSON file: points with a radius, and polygons.
  static func geoJSON(_ name: String) throws(Failure) -> [Region] {
    try geoJSON(try contents(of: name), of: name)
  }

  static func geoJSON(_ text: [UInt8], of name: String) throws(Failure) -> [Region] {
    do throws(GeoJSONError) {
      return try Region.all(geoJSON: text)
    } catch {
      throw Failure(.failed, "\(name): \(error.reason)")
    }
  }
}

/// A whole file.
func contents(of name: String, atMost limit: Int = .max) throws(Failure) -> [UInt8] {
  let descriptor = open(name, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
  }
  defer { close(descriptor) }
  var contents: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &block, block.count)
    if count > 0 { contents += block[..<count] }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else {
      throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
    }
    guard contents.count <= limit else {
      throw Failure(.failed, "\(name): it has more than \(limit >> 20) MiB")
    }
    if count == 0 { return contents }
  }
}
