import Geodesy
import LocationModel
import Testing

@testable import LocationCore

@Suite("The World Magnetic Model") struct MagnetismTests {
  /// As NOAA published them with the model: year, kilometres, place, north, east, down, declination.
  static let rows: [(Double, Double, Double, Double, Double, Double, Double, Double)] = [
    (2025.0, 0, 80, 0, 6521.6, 145.9, 54791.5, 1.28),
    (2025.0, 0, 0, 120, 39677.8, -109.6, -10580.2, -0.16),
    (2025.0, 0, -80, 240, 6117.5, 15751.9, -52022.5, 68.78),
    (2025.0, 100, 80, 0, 6216.0, 92.4, 52598.8, 0.85),
    (2025.0, 100, 0, 120, 37688.6, -96.2, -10152.1, -0.15),
    (2025.0, 100, -80, 240, 5907.6, 14780.3, -49540.7, 68.21),
    (2027.5, 0, 80, 0, 6500.8, 294.5, 54869.4, 2.59),
    (2027.5, 0, 0, 120, 39701.6, -167.4, -10381.8, -0.24),
    (2027.5, 0, -80, 240, 6200.7, 15730.3, -51783.7, 68.49),
    (2027.5, 100, 80, 0, 6196.7, 233.8, 52670.5, 2.16),
    (2027.5, 100, 0, 120, 37711.5, -148.7, -9969.8, -0.23),
    (2027.5, 100, -80, 240, 5984.0, 14760.1, -49317.7, 67.93),
  ]

  @Test("its published test values are met to the last digit", arguments: rows.indices)
  func published(row: Int) throws {
    let (year, height, latitude, longitude, north, east, down, declination) = Self.rows[row]
    let field = MagneticField(
      at: Coordinate(latitude: latitude, longitude: longitude), height: height * 1000, year: year)
    #expect(abs(field.north - north) <= 0.051)
    #expect(abs(field.east - east) <= 0.051)
    #expect(abs(-field.up - down) <= 0.051)
    #expect(abs(try #require(field.declination) - declination) <= 0.0051)
  }

  @Test("a compass shows nothing at the magnetic poles, and little near them")
  func poles() throws {
    let pole = MagneticField(at: Coordinate(latitude: 85.8, longitude: 139.3), year: 2025)
    #expect(pole.declination == nil)
    let alps = MagneticField(at: Coordinate(latitude: 46, longitude: 8), year: 2026.9)
    #expect(try #require(alps.declination) > 2)
    #expect(alps.declinationAccuracy < 0.5)
    let svalbard = MagneticField(at: Coordinate(latitude: 80, longitude: 20), year: 2026.9)
    #expect(svalbard.declinationAccuracy > 0.7)
  }

  @Test("years are counted to the day, and a clock that was never set does no harm")
  func years() {
    #expect(Timestamp(year: 2025, month: 1, day: 1, microsecondsOfDay: 0).year == 2025)
    let middle = Timestamp(year: 2028, month: 7, day: 2, microsecondsOfDay: 0).year
    #expect(abs(middle - 2028.5) < 0.001)
    let place = Coordinate(latitude: 45, longitude: 7)
    #expect(MagneticField(at: place, year: 1970) == MagneticField(at: place, year: 2025))
  }
}
