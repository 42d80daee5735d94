/// The activity for which locations are updated decides how long a rest is.
package enum ActivityType: String, CaseIterable, Sendable {
  case other, automotiveNavigation, fitness, otherNavigation, airborne
}
