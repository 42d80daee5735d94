import LocationModel
import Platform

/// The sockets at which programs come in.
final class ShareDoors {
  private let loop: EventLoop
  private let log: Log
  private let accepted: (ShareDoorKind, consuming Descriptor) -> Void
  private var watches: [EventLoop.Watch] = []
  private var failures = HourlyLines()
  /// The service manager's sockets, by their addresses.
  private var given: [String: ShareDoorKind] = [:]

  /// A socket that the service manager gives for gpsd's programs is the only one for them. A line of NMEA's is listened
  /// at beside the sockets that are given, unless its address is one of theirs.
  init(
    _ configuration: Configuration, on loop: EventLoop, _ log: Log,
    accepted: @escaping (ShareDoorKind, consuming Descriptor) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.log = log
    self.accepted = accepted
    for (name, listener) in try GivenSockets.all() {
      let door: ShareDoorKind = name.hasText("nmea") ? .nmea : .gpsd
      given[listener.name] = door
      try open(listener, door)
    }
    if configuration.hasGpsd, !given.values.contains(.gpsd) {
      for address in configuration.gpsd { try openIfThere(address, .gpsd) }
    }
    for place in configuration.nmea {
      switch place {
      case .tcp(let address): if given[address.name] != .nmea { try openIfThere(address, .nmea) }
      case .unix(let path): openIfCan(path, mode: configuration.mode)
      case .pty, .udp: break
      }
    }
  }

  var isEmpty: Bool { watches.isEmpty }

  /// A machine may be without IPv6, and its gpsd may have the port: the sockets that are given are served all the same.
  private func openIfThere(
    _ address: Configuration.Address, _ door: ShareDoorKind
  ) throws(SystemError) {
    do throws(SystemError) {
      try open(StreamListener(address: address.host, port: address.port), door)
    } catch {
      guard address.host == "::1" || !given.isEmpty, !watches.isEmpty else { throw error }
      log.notice("\(error)")
    }
  }

  /// A path at which nothing can be ends no other door.
  private func openIfCan(_ path: String, mode: UInt32) {
    do throws(SystemError) {
      try open(UnixListener(path: path, mode: mode), .nmea)
    } catch {
      log.warning("\(error)")
    }
  }

  private func open(_ listener: some ConnectionListener, _ door: ShareDoorKind) throws(SystemError)
  {
    watches.append(
      try listener.watch(on: loop) { [unowned self] in
        accepted(door, $0)
      } failed: { [unowned self] error in
        if failures.mayTell(at: Clock.boottime) { log.warning("\(error)") }
      })
  }
}
