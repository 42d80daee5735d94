/// What someone does who updates locations: how long a rest of it is.
package enum ActivityType: String, CaseIterable, Sendable {
  case other, automotiveNavigation, fitness, otherNavigation, airborne
}
