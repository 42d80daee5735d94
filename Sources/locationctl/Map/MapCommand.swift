import Console
import LocationClient
import LocationModel
import PlaceCore

extension Command {
  static let map = Command(
    name: "map", summary: "a live map in your browser, for you alone",
    help: """
      Usage: locationctl map [FILE | geo:LATITUDE,LONGITUDE]... [--day DATE] [--port N]
                             [--no-browser] [--tiles URL] [OPTION]...

      Shows where the machine is, as it moves, on a page in your browser; its track,
      visits and regions; places that you search for, and the way to them. It needs
      no network. Ctrl-C ends it.

      FILEs are shown too: GeoJSON, GPX, or JSON rows of a title, a place, a category,
      a latitude and a longitude. A geo: address is shown first, with what is there.

        --day DATE      show the tracker's day first, as 2026-11-20: trips, stays, gaps
        --port N        serve the page on this port, as for 'ssh -L' (default: any)
        --no-browser    print the page's address, and open nothing; over ssh the line that
                        leads your own computer to it comes with it
        --until-closed  end when the page has been closed for half a minute
        --tiles URL     pictures of the map from a server, as
                        https://tile.example.org/{z}/{x}/{y}.png; it is told which part
                        of the map you look at. Tiles=URL in ~/.config/locationd/map.conf
                        does the same; --tiles none asks no server
        --locale L      the language of the page and of names, as ko or en-GB
                        (default: yours)
        --data DIR      the folder with the base map (default
                        /usr/share/locationd/places)
        --places PATH   where the service of places listens; else
                        $LOCATIOND_PLACES_SOCKET, or /run/locationd/places.sock
        --tracker PATH  where the tracker listens; else $LOCATIOND_TRACKER_SOCKET, or
                        /run/locationd/tracker.sock
        --socket PATH   where the daemon listens

      """,
    isPrivate: true
  ) { (arguments) throws(Failure) in
    let day = try arguments.day("--day")
    let port = try arguments.number("--port", "a port, 1 to 65535") {
      (1...65_535).contains($0) && $0 == $0.rounded()
    }
    let opensBrowser = !arguments.flag("--no-browser")
    let endsByItself = arguments.flag("--until-closed")
    let tiles = try arguments.value("--tiles")
    let locale = try arguments.value("--locale") ?? UserLocale.tag
    let data = try arguments.value("--data")
    let places = try arguments.value("--places") ?? Peer.places.defaultPath
    let tracker = try arguments.value("--tracker") ?? Peer.tracker.defaultPath
    let socket = try arguments.socket()
    var files: [MapFile] = []
    var place: Coordinate?
    while let name = arguments.operand() {
      guard name.lowercased().hasPrefix("geo:") else {
        files.append(try MapFile(name))
        continue
      }
      place = PlaceText.coordinate(in: name)
      if place == nil {
        throw Failure(.usage, "this geo: address is no place; one is geo:48.2082,16.3738")
      }
    }
    try arguments.nothingElse()
    let settings = try MapSettings(tiles: tiles)
    // Where nobody has decided yet, the person is asked; the page says what came of it.
    if let daemon = try? Daemon(at: socket) { try? daemon.introduce("locationctl map") }
    Interrupts.begin()
    let helper = try MapHelper(port: port.map { Int($0) }, data: data)
    let address = try helper.address()
    try helper.send(settings, locale: locale, files)
    if let place {
      try helper.set(
        "place", ["latitude": .number(place.latitude), "longitude": .number(place.longitude)])
    }
    if let day {
      let midnight = Timestamp(microseconds: Int64(day) * 86_400_000_000)
      try helper.set("day", .string(String(Describe.universalTime(midnight).prefix(10))))
    }
    try Browser.open(address, as: "The map", isWanted: opensBrowser)
    let session = MapSession(
      helper, daemon: socket, places: places, tracker: tracker, locale: locale,
      endsByItself: endsByItself)
    try session.run()
  }
}

/// A file that is shown on the map. The page reads it.
struct MapFile {
  var name: String
  var text: String

  private static let longest = 24 << 20

  init(_ path: String) throws(Failure) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    let bytes = try contents(of: path, atMost: Self.longest)
    guard !bytes.isEmpty else { throw Failure(.failed, "\(path): it is empty") }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
