import LocationModel

/// The reports of devices, until they go to the service.
struct BeaconReports {
  /// Since the last batch.
  private var reports: [BeaconReport] = []
  /// The frames of devices, for signals that only say how strongly one is heard.
  private var frames: [String: BeaconFrame] = [:]
  /// The devices that a monitor hears.
  private var present: Set<String> = []

  private static let most = 4096
  private static let mostDevices = 1024

  var isEmpty: Bool { reports.isEmpty }
  var hasPresent: Bool { !present.isEmpty }

  mutating func take(_ said: BluetoothWords.Said, at path: String) {
    if let frame = said.frame {
      if frames[path] != frame, frames[path] != nil || frames.count < Self.mostDevices {
        frames[path] = frame
      }
    } else if said.isOther {
      frames[path] = nil
    }
    guard let frame = said.frame ?? frames[path] else { return }
    append(BeaconReport(frame, rssi: said.rssi))
  }

  /// A monitor hears the device; gives whether its frame is known.
  mutating func enter(_ path: String) -> Bool {
    if present.count < Self.mostDevices { present.insert(path) }
    guard let frame = frames[path] else { return false }
    append(BeaconReport(frame, rssi: nil))
    return true
  }

  /// A monitor does not hear it any more: it has until now.
  mutating func leave(_ path: String) {
    guard present.remove(path) != nil, let frame = frames[path] else { return }
    append(BeaconReport(frame, rssi: nil))
  }

  /// The devices that a monitor hears are heard still.
  mutating func repeatPresent() {
    for path in present.sorted() {
      if let frame = frames[path] { append(BeaconReport(frame, rssi: nil)) }
    }
  }

  mutating func forget(_ path: String) {
    frames[path] = nil
    present.remove(path)
  }

  mutating func endMonitor() { present = [] }

  mutating func removeAll() { self = BeaconReports() }

  mutating func drain(at now: Timestamp) -> BeaconScan {
    defer { reports.removeAll(keepingCapacity: true) }
    return BeaconScan(reports, timestamp: now)
  }

  private mutating func append(_ report: BeaconReport) {
    if reports.count < Self.most { reports.append(report) }
  }
}
