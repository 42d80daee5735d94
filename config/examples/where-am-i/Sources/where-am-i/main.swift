import CoreLocation

// Prints where this machine is, once it is known.
for try await update in CLLocationUpdate.liveUpdates() {
  if let location = update.location { print(location); break }
  if update.authorizationRequestInProgress { print("Asking for permission…") }
  if update.authorizationDenied { print("Denied: locationctl apps shows who may know."); break }
  if update.locationUnavailable { print("No location yet: locationctl status says why.") }
}
