import Foundation

/// `make peers` runs tests beside others' servers, which it installs.
package let isAmongPeers = ProcessInfo.processInfo.environment["LOCATIOND_PEERS"] != nil
