import Console
import DBus
import LocationModel
import Platform

/// The service while it runs: its doors, and when it leaves.
final class PlacesDaemon {
  private let configuration: Configuration
  private let loop: EventLoop
  private let log: Log
  private let service: PlaceService
  private var socket: SocketDoor?
  private var busDoor: BusDoor?
  private var httpDoor: HTTPDoor?
  private var signals: [EventLoop.SignalWatch] = []
  private var idle: EventLoop.Timer?
  private var leaving: EventLoop.Timer?
  /// Nil: it never leaves by itself.
  private let patience: Duration?

  /// The name of the service manager's sockets of HTTP.
  private static let http = "http"
  private static let standardPatience: Duration = .seconds(60)
  /// Calls that were under way when the bus took the name back arrive within this.
  private static let farewell: Duration = .milliseconds(100)

  init(_ configuration: Configuration, _ log: Log) throws(SystemError) {
    self.configuration = configuration
    self.log = log
    loop = try EventLoop()
    service = try PlaceService(configuration, on: loop, log)
    let all = try GivenSockets.all()
    let given = all.first { !$0.name.hasPrefix(Self.http) }?.listener
    let wanted = configuration.idle ?? (given == nil ? .zero : Self.standardPatience)
    patience = wanted > .zero ? wanted : nil
    signals = try loop.watchSignals { [unowned self] in stop() }
    idle = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in leave() }
    leaving = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in
      if isIdle { stop() } else { openBus() }
    }
    let listener: any ConnectionListener =
      if let given { given } else { try UnixListener(path: configuration.socket) }
    socket = try SocketDoor(listener, service, configuration.limits, on: loop, log) {
      [unowned self] in rest()
    }
    var web = all.filter { $0.name.hasPrefix(Self.http) }.map(\.listener)
    if web.isEmpty {
      for place in configuration.http {
        web.append(try StreamListener(address: place.host, port: place.port ?? 0))
      }
    }
    if !web.isEmpty {
      service.web = web.map(\.name)
      httpDoor = try HTTPDoor(web, service, configuration, on: loop) { [unowned self] in rest() }
    }
    service.answered = { [unowned self] in rest() }
    bus = try configuration.bus.map { (place) throws(SystemError) in
      try BusConnection(to: place, on: loop) { _ in }
    }
  }

  private var bus: BusConnection?

  func run() throws(SystemError) {
    openBus()
    log.info("locationd-places \(version) listens on \(configuration.socket)")
    rest()
    try loop.serve()
  }

  private func openBus() {
    guard let bus else { return }
    do throws(BusError) {
      busDoor = try BusDoor(on: bus, service, log)
    } catch {
      log.error("\(error)")
    }
  }

  private var isIdle: Bool {
    service.pending == 0 && socket?.isEmpty != false && httpDoor?.isEmpty != false
  }

  /// It leaves when nobody is connected and nothing was asked for long enough.
  private func rest() {
    guard let patience else { return }
    idle?.set(isIdle ? Clock.boottime + patience : nil)
  }

  private func leave() {
    guard isIdle else { return }
    busDoor?.leave()
    leaving?.set(Clock.boottime + Self.farewell)
  }

  private func stop() {
    loop.end(log)
    service.keep()
  }
}
