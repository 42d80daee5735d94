import Console
import LocationClient
import LocationModel

extension Command {
  static let watch = Command(
    name: "watch", summary: "locations as they come, until Ctrl-C",
    help: """
      Usage: locationctl watch [--accuracy M] [--distance M] [--heading]
                                [--significant] [--visits]
                                [--region ID,LAT,LON,RADIUS]... [--sky]
                                [--place [--locale L]] [--json] [--socket PATH]

      Shows where the machine is, live: a panel on a terminal, a line per location
      into a pipe. A daemon that restarts is waited for.

        --accuracy M   metres that are good enough (default: the best there is)
        --distance M   only what lies so far from the last one shown (default: all)
        --heading      which way the machine points, too
        --significant  instead, when it has moved by half a kilometre
        --visits       instead, when it arrives at a place to stay, and leaves it
        --region ID,LAT,LON,RADIUS
                       instead, when it enters or leaves this circle; may be given
                       several times
        --region ID,UUID[,MAJOR[,MINOR]]
                       instead, when it enters or leaves the surroundings of
                       these Bluetooth beacons
        --sky          instead, each satellite that the receiver sees, its signal, and
                       whether it is used; once a second
        --place        the name of the place, too, from this disk only
        --locale L     the language of the name, as ko or en-GB (default: yours)
        --json         one event a line, as JSON; no panel

      --desired-accuracy and --distance-filter are other names of --accuracy and
      --distance.

      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let headings = arguments.flag("--heading")
    let request = StandardRequest(
      desiredAccuracy: try arguments.accuracy() ?? -1,
      distanceFilter: try arguments.distance() ?? -1)
    let monitoring = try Monitoring(&arguments)
    let isPlaced = arguments.flag("--place")
    let locale = try arguments.value("--locale")
    let isSky = arguments.flag("--sky")
    let socket = try arguments.socket()
    try arguments.nothingElse()
    if isPlaced, isSky || !monitoring.isEmpty {
      throw Failure(.usage, "--place names the places of locations, and of nothing else")
    }
    if locale != nil, !isPlaced { throw Failure(.usage, "--locale wants --place, too") }
    let names =
      isPlaced
      ? try PlaceNames(at: Peer.places.defaultPath, locale: locale ?? UserLocale.tag) : nil
    let daemon = try PersistentDaemon(at: socket)
    if isSky {
      try SkyWatch(asJSON: asJSON).follow(daemon, request)
    } else if !monitoring.isEmpty {
      try monitoring.follow(daemon, asJSON: asJSON)
    } else if asJSON {
      try follow(daemon, request, headings: headings, on: JSONLines(names: names))
    } else if Terminal.canShowPanel {
      try follow(daemon, request, headings: headings, on: PanelScreen(names: names))
    } else if let names {
      try follow(daemon, request, headings: headings, on: PlacedLines(names: names))
    } else {
      try follow(daemon, request, headings: headings, on: PlainLines())
    }
  }
}

/// How what is watched is shown.
protocol WatchScreen {
  /// The language that troubles are told in.
  var speech: Speech { get }
  /// How often it wants `tick`; nil for never.
  var tickMilliseconds: Int32? { get }
  mutating func begin() throws(Failure)
  mutating func show(_ event: Event) throws(Failure)
  /// Why nothing comes now; nil where that holds no more.
  mutating func show(obstacle: String?) throws(Failure)
  mutating func tick() throws(Failure)
  func end()
}

/// Asks for updates and hands what comes to a screen, until a signal ends it. What is refused is said,
/// and asked for again when the permission changes, or the daemon is another.
private func follow(
  _ daemon: PersistentDaemon, _ request: StandardRequest, headings: Bool,
  on screen: some WatchScreen
) throws(Failure) {
  var screen = screen
  var isDrawn = false
  defer { if isDrawn { screen.end() } }
  var isAsked = false
  var start: Int64?
  var isStarted = false
  var obstacle = ObstacleWatch()
  try daemon.follow(pausing: screen.tickMilliseconds ?? 1000) { (event) throws(Failure) in
    switch event {
    case .opened:
      let introduction = try daemon.introduce("locationctl watch") { () throws(Failure) in
        if isDrawn { screen.end() }
        isDrawn = false
      }
      guard let introduction else { return }
      if !isDrawn { try screen.begin() }
      isDrawn = true
      isAsked = introduction.refusal != nil
      try screen.show(obstacle: introduction.refusal?.message)
      start = try daemon.send(.startUpdatingLocation(request))
      isStarted = start != nil
      if headings { _ = try daemon.send(.startUpdatingHeading(.init())) }
      obstacle = ObstacleWatch()
    case .received(.reply(let id, .failure(let refusal))) where id == start:
      guard refusal.code == .denied else { throw Failure(refusal) }
      isStarted = false
      try screen.show(obstacle: refusal.message)
      // A pause has an end.
      try obstacle.ask(daemon)
    case .received(.reply(_, .success(.status(let status)))):
      guard isStarted || status.pause != nil || obstacle.isPaused else { break }
      if let news = obstacle.news(in: status, screen.speech) { try screen.show(obstacle: news) }
    case .received(.event(_, let event)), .received(.numbered(_, let event, _)):
      if case .didUpdateLocations = event { obstacle.hear() }
      try screen.show(event)
      if case .didChangeAuthorization(let authorization, _) = event {
        isAsked = false
        if !isStarted, authorization.isAuthorized {
          start = try daemon.send(.startUpdatingLocation(request))
          isStarted = start != nil
        }
      }
    case .received: break
    case .lost(let why):
      isStarted = false
      try screen.show(obstacle: why)
    }
  } tick: { () throws(Failure) in
    if isDrawn { try screen.tick() }
    // That nobody has decided is said already.
    if !isAsked, isStarted || obstacle.isPaused, obstacle.isDue() { try obstacle.ask(daemon) }
  }
}
