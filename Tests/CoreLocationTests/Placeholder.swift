import CoreLocation
import Testing
