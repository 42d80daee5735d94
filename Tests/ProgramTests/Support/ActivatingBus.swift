import Foundation

extension PrivateBus {
  /// A bus that starts services from files in a folder of its own.
  static func activating(_ guests: [String] = [TrackerApp.name]) throws -> PrivateBus {
    let bus = try PrivateBus(guests: guests, own: "<busconfig/>")
    bus.stop()
    try FileManager.default.createDirectory(
      at: bus.folder.appending(path: "services"), withIntermediateDirectories: true)
    try "<busconfig><servicedir>\(bus.folder.path)/services</servicedir></busconfig>"
      .write(
        to: bus.folder.appending(path: "policies/own.conf"), atomically: true, encoding: .utf8)
    try bus.start()
    return bus
  }

  func install(_ app: TrackerApp) throws { try install(app.service, as: TrackerApp.name) }

  /// `service`: the file by which the bus starts it.
  func install(_ service: String, as name: String) throws {
    try service.write(
      to: folder.appending(path: "services/\(name).service"), atomically: true, encoding: .utf8)
    // It looks into its folders again.
    let client = try BusClient(address)
    _ = try client.ask(
      "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig",
      of: "org.freedesktop.DBus")
  }
}
