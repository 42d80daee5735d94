import Console
import DBus
import LocationClient
import LocationModel
import PlaceCore
import Platform

/// Sets the machine's time zone after its place.
@main
struct LocationdTimezone: CommandLineProgram {
  static let name = "locationd-timezone"
  private let paths: (daemon: String, places: String)
  private let bus: BusPlace
  private var rule = ZoneFollower.Rule()

  init(_ arguments: inout Arguments) throws(Failure) {
    paths = (
      try arguments.value("--daemon") ?? Connection.defaultPath,
      try arguments.value("--places") ?? Peer.places.defaultPath
    )
    guard
      let bus = try arguments.value(
        "--bus", as: ConfigurationValue<BusPlace?>(BusPlace.named)) ?? BusPlace.system
    else { throw Failure(.usage, "--bus none leaves nobody to set the time zone") }
    self.bus = bus
    if let interval = try arguments.seconds("--interval") { rule.interval = interval }
    if let settling = try arguments.seconds("--settling") { rule.settling = settling }
  }

  func run() throws(SystemError) {
    try ZoneService(rule, daemon: paths.daemon, places: paths.places, bus: bus, Log(level: .info))
      .run()
  }

  static let help = """
    Usage: locationd-timezone [--daemon PATH] [--places PATH] [--bus BUS]
                              [--interval S] [--settling S]

    Sets the time zone of this machine after its place, when the machine has been in
    another for ten minutes. 'locationctl timezone follow on' starts it for good.

      --daemon PATH   where locationd listens (default $LOCATIOND_SOCKET, else
                      /run/locationd/locationd.sock)
      --places PATH   where locationd-places listens (default
                      $LOCATIOND_PLACES_SOCKET, else /run/locationd/places.sock)
      --bus BUS       the D-Bus of timedate1: system (default), session, or an
                      address
      --interval S    seconds between two looks at the place (default 1800)
      --settling S    seconds in another zone until it is set (default 600)
      --version       print the version
      --help          print this

    """
}

extension Arguments {
  fileprivate mutating func seconds(_ name: String) throws(Failure) -> Duration? {
    try number(name, "seconds, from 0.01 to 86400") { (0.01...86_400).contains($0) }
      .map { Duration(clamping: $0) }
  }
}
