// Apple's `import CoreLocation` brings Foundation.
@_exported public import Foundation
