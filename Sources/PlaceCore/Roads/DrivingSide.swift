/// Lands where traffic keeps to the left, as boxes: near some borders they are wrong, where `driving_side` says it.
package enum DrivingSide {
  package static func isLeft(latitude: Double, longitude: Double) -> Bool {
    func isIn(_ boxes: [Box]) -> Bool {
      boxes.contains {
        ($0.south..<$0.north).contains(latitude) && ($0.west..<$0.east).contains(longitude)
      }
    }
    return isIn(lands) && !isIn(others)
  }

  private typealias Box = (south: Double, north: Double, west: Double, east: Double)

  private static let lands: [Box] = [
    // Great Britain and Ireland; Jersey and Guernsey; Malta; Cyprus.
    (49.8, 61, -11, 1.9), (49.1, 49.8, -2.8, -1.9), (35.7, 36.2, 14, 14.7),
    (34.5, 35.8, 32.2, 34.7),
    // Okinawa; Japan; Hong Kong; Macau.
    (24, 31, 122.8, 132), (30, 45.7, 128.3, 146.1), (22.1, 22.6, 113.8, 114.5),
    (22.1, 22.2, 113.5, 113.6),
    // India and its neighbours; Sri Lanka; the Maldives.
    (6, 37, 60.8, 97.4), (-1, 8, 72.5, 74),
    // Thailand; Malaysia and Indonesia; New Guinea; Australia and New Zealand; Fiji; Tonga and Samoa.
    (5.6, 20.5, 97.3, 105.7), (-11.1, 7.5, 95, 141), (-12, -1, 141, 160),
    (-48, -10, 112, 180), (-24, -13, -180, -171),
    // The south of Africa; Zambia to Mozambique; Tanzania, Kenya, Uganda; Mauritius; the Seychelles.
    (-35, -17, 11.5, 36), (-27, -8.2, 22, 41), (-11.8, 5, 29.4, 41.9), (-20.7, -19.6, 57, 63.7),
    (-10.3, -3.5, 46, 56.5),
    // The Bahamas; Turks and Caicos; Jamaica; Cayman; Bermuda; the Lesser Antilles; Trinidad.
    (20.8, 27.4, -79.4, -72.6), (21, 22.1, -72.6, -71), (17.6, 18.6, -78.5, -76.1),
    (19.2, 19.8, -81.5, -79.7), (32.2, 32.5, -65, -64.6), (11, 18.8, -65.1, -59.3),
    (10, 11.4, -61.95, -60.4),
    // Guyana and Suriname; the Falklands; Saint Helena.
    (1.9, 8.4, -60, -54.1), (-52.5, -51, -61.4, -57.6), (-16.1, -15.9, -5.8, -5.6),
  ]

  /// Within those boxes, lands where it keeps to the right.
  private static let others: [Box] = [
    // France.
    (49.5, 50.7, 0.3, 1.9), (50.7, 51.05, 1.45, 1.9),
    // Korea; Russia.
    (34.75, 43, 124, 131), (42.2, 49, 130, 139.2),
    // Afghanistan, Central Asia, Tibet, Burma.
    (31.3, 38.5, 60, 69.2), (29.9, 31.3, 60, 66.3), (34.1, 38.5, 69.2, 70.95), (25, 31.4, 60, 61.4),
    (36, 38, 71, 97.4), (30.5, 36, 81.3, 97.4), (32.5, 36, 79.6, 81.3), (29.4, 36, 83.5, 97.4),
    (28.3, 36, 86, 92), (9.9, 22, 92.6, 98.1), (22, 24.5, 93.5, 98.1), (24.5, 28, 95.3, 98.1),
    // Laos, Cambodia; the Philippines; New Caledonia; Vanuatu.
    (18.45, 22, 101.3, 105.7), (10, 13.6, 102.95, 107), (5, 7.5, 119.4, 127),
    (-23, -19.5, 163, 168.3),
    (-20.3, -13, 166, 170.3),
    // Congo; Rwanda and Burundi; South Sudan.
    (-11.9, -4, 12, 28.5), (-4.45, -1.4, 28.8, 30.45), (1.2, 5, 29.4, 30.9), (3.6, 5, 30.8, 35.9),
    // Cuba; Saint Martin; Guadeloupe; Martinique.
    (19.8, 23.3, -85, -74.1), (17.8, 18.2, -63.3, -62.7), (15.8, 16.6, -61.9, -61),
    (14.3, 14.9, -61.3, -60.8),
  ]
}
