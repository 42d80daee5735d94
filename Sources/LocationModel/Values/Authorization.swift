/// An app's right to locations.
package enum Authorization: String, Sendable {
  case notDetermined, restricted, denied, authorizedWhenInUse, authorizedAlways
}

/// How exactly an app is told where it is.
package enum AccuracyAuthorization: String, Sendable {
  case full, reduced
}
