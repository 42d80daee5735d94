/// An app's right to locations.
package enum Authorization: String, Sendable {
  case notDetermined, restricted, denied, authorizedWhenInUse, authorizedAlways
}

/// How exactly an app is told where it is.
package enum AccuracyAuthorization: String, Sendable {
  case full, reduced

  /// The radius of a reduced place in metres, as each place has one.
  package static let reducedRadius = 3000.0
  /// The same to a person who decides.
  package static let reducedKilometres = Int(reducedRadius / 1000)
  package static let reducedWords = "within \(reducedKilometres) km"
}
