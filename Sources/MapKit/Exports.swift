// Apple's `import MapKit` brings Core Location and Foundation.
@_exported public import CoreLocation
@_exported public import Foundation
