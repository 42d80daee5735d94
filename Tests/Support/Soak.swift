import Foundation

/// `make soak` runs tests at their full size.
package let isSoak = ProcessInfo.processInfo.environment["SOAK_SECONDS"] != nil
