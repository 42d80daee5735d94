import Foundation
import Geodesy
import LocationModel
import PlaceCore
import PlaceStore
import TestSupport
import Testing

/// With the world that `make places` made.
@Suite("Each name of an extract") struct EachNameTests {
  /// Metres between two of one name that are one answer: a stop on both sides of a street, the ways of a street.
  private static let same = 300.0
  private static let sameStreet = 6000.0

  private static let latitudes = 43.7247...43.752
  private static let longitudes = 7.409...7.44

  /// A question takes a twentieth of a second of a processor in a build for tests.
  private static let step = isSoak ? 1 : 10

  private static func some(_ things: [RawFile.Named]) -> [RawFile.Named] {
    stride(from: 0, to: things.count, by: step).map { things[$0] }
  }

  private func holds(_ marks: [Placemark], _ thing: RawFile.Named) -> Bool {
    marks.contains { mark in
      let isIt = mark.osmNumber == thing.osm?.number && mark.osmType == thing.osm?.type.rawValue
      let reach = thing.isStreet ? Self.sameStreet : Self.same
      return isIt
        || mark.osmNames["name"] == thing.name
          && mark.coordinate.distance(to: thing.place) < reach
    }
  }

  @Test(
    "all of Monaco's names are found by a search there, and with the town behind them from anywhere"
  )
  func names() throws {
    let world = FileManager.default.currentDirectoryPath + "/.build/places"
    let atlas = Atlas(folders: [world, try Monaco.folder()])
    let things = try Self.some(RawFile(Monaco.file).named)
    var (asked, missed) = (things.count, [String]())
    for thing in things {
      var search = SearchRequest(.text(thing.name))
      (search.near, search.locale, search.limit) = (thing.place, "fr", 10)
      if !holds((try? atlas.search(search)) ?? [], thing) { missed.append("there \(thing)") }
      // The extract has names of its neighbours, too.
      guard Self.latitudes.contains(thing.place.latitude),
        Self.longitudes.contains(thing.place.longitude)
      else { continue }
      asked += 1
      var geocode = GeocodeRequest(thing.name + ", Monaco")
      (geocode.locale, geocode.limit) = ("fr", 10)
      if !holds((try? atlas.geocode(geocode)) ?? [], thing) { missed.append("behind \(thing)") }
    }
    print(
      "Monaco: \(things.count) things have a name, \(missed.count) questions of \(asked) miss it")
    let most = isSoak ? 3 : 1
    #expect(
      things.count > 1500 / Self.step && missed.count <= most, "\(missed.joined(separator: "\n"))")
  }

  @Test(
    "a place at Monaco's border lies in the country whose border the extract has, in each answer")
  func border() throws {
    let world = FileManager.default.currentDirectoryPath + "/.build/places"
    let (rough, fine) = (
      Atlas(folders: [world]), Atlas(folders: [world, try Monaco.folder()])
    )
    for (latitude, longitude, country) in [(43.7396, 7.4178, "FR"), (43.7468, 7.4386, "MC")] {
      let place = Coordinate(latitude: latitude, longitude: longitude)
      #expect(try fine.reverse(ReverseRequest(place))[0].isoCountryCode == country)
      let written = GeocodeRequest("\(latitude), \(longitude)")
      #expect(try fine.geocode(written)[0].isoCountryCode == country)
      #expect(try rough.geocode(written)[0].isoCountryCode != country)
    }
  }

  @Test(
    "an extract's places are told in the reader's language, and so is their country",
    arguments: [("ko", "모나코"), ("ja", "モナコ"), ("de", "Monaco"), ("fr", "Monaco"), ("es", "Mónaco")])
  func languages(language: String, town: String) throws {
    let world = FileManager.default.currentDirectoryPath + "/.build/places"
    let atlas = Atlas(folders: [world, try Monaco.folder()])
    var (count, wrong) = (0, [String]())
    for thing in try Self.some(RawFile(Monaco.file).named) where !thing.isStreet {
      guard let osm = thing.osm else { continue }
      let letter = osm.type.rawValue.prefix(1).uppercased()
      var request = SearchRequest(.id("osm:\(letter)\(osm.number)"))
      request.locale = language
      guard let mark = try? atlas.search(request).first, mark.isoCountryCode == "MC" else {
        continue
      }
      count += 1
      let name = thing.names[language] ?? thing.name
      // Some things at the border have an address beyond it.
      let isTold = mark.name == name && mark.country?.contains(town) == true
      if !isTold { wrong.append("\(thing.name): \(mark)") }
    }
    #expect(count > 350 / Self.step && wrong.isEmpty, "\(count) \(wrong.count) \(wrong.prefix(9))")
  }
}
