import Glibc
import LocationCore
import LocationModel
import Platform

/// The files of this machine that say a place: the administrator's, and the time zone's, by which days begin.
struct PlaceFiles {
  /// In tests another root.
  var root = ""
  private(set) var places = LocationService.FixedPlaces()
  private(set) var localOffset = Clock.localOffset
  private var zone: String?

  static let administrators = "/etc/geolocation"
  private static let zones = "/usr/share/zoneinfo"

  init(root: String = "") { self.root = root }

  /// Reads the files; true where they say something else than before. A table is read only for another zone.
  mutating func refresh() -> Bool {
    let before = (places, localOffset)
    places.file = Self.administrators
    places.set = text(Self.administrators, atMost: 4096).flatMap(SetPlace.init(geolocation:))
    let zone = zoneName
    if zone != self.zone {
      self.zone = zone
      places.city = zone.flatMap(city)
    }
    localOffset = Clock.localOffset
    return (places, localOffset) != before
  }

  /// As programs of this machine find it.
  private var zoneName: String? {
    if root.isEmpty, let variable = getenv("TZ") {
      return String(cString: variable).split(separator: ":").first.map(String.init)
    }
    if let target = File.target(ofLink: root + "/etc/localtime") {
      return ZoneName(ofFile: target)?.text
    }
    return text("/etc/timezone", atMost: 256)?.split(whereSeparator: \.isWhitespace).first
      .map(String.init)
  }

  /// Some zones are other names of another's; the older table has more of them.
  private func city(of zone: String) -> ZoneCity? {
    let link = try? File.wholePath("\(root)\(Self.zones)/\(zone)")
    let names = [zone] + (link.flatMap(ZoneName.init(ofFile:)).map { [$0.text] } ?? [])
    for table in ["zone1970.tab", "zone.tab"] {
      guard let text = text("\(Self.zones)/\(table)", atMost: 1 << 18) else { continue }
      for name in names {
        if let city = ZoneCity(of: name, in: text) { return city }
      }
    }
    return nil
  }

  private func text(_ path: String, atMost limit: Int) -> String? {
    (try? File.bytes(of: root + path, atMost: limit)).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The set place in the state folder, in GeoClue's format, for the daemon alone.
struct SetPlaceFile {
  let path: String

  func read() throws(SystemError) -> SetPlace? {
    do throws(SystemError) {
      let bytes = try File.bytes(of: path, atMost: 4096)
      return SetPlace(geolocation: String(decoding: bytes, as: UTF8.self))
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
  }

  func write(_ place: SetPlace?) throws(SystemError) {
    if let place {
      try File.replace(path, with: Array(place.geolocation.utf8))
    } else {
      try File.replace(path, with: [])
      File.remove(path)
    }
  }
}
