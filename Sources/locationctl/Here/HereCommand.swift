import Console
import LocationClient
import LocationModel
import PlaceCore

extension Command {
  static let hereVerbs = ["set", "status", "forget"]

  static let here = Command(
    name: "here", summary: "where a machine stands that does not move",
    help: """
      Usage: locationctl here set TEXT|LAT,LON [--accuracy M] [OPTION]...
             locationctl here status [--json] [--socket PATH]
             locationctl here forget [--socket PATH]

      Says where this machine stands: programs that may know the location are told
      the place while no receiver says one. Receivers that put the machine elsewhere
      set it aside. The daemon keeps it for itself; '-' reads it from standard input.
      For administrators.

        --accuracy M    metres that the machine may be off (default \(Int(SetPlace.usualAccuracy)))
        --json          the place as one line of JSON
        --locale L      the language of TEXT, as ko or en-GB (default: yours)
        --places PATH   where the service of places listens, for TEXT

      """, isPrivate: true
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let accuracy = try arguments.number("--accuracy", "metres, from 1 to 500000") {
      (1...500_000).contains($0)
    }
    let locale = try arguments.value("--locale") ?? UserLocale.tag
    let places = try arguments.value("--places") ?? Peer.places.defaultPath
    let socket = try arguments.socket()
    let verb = arguments.operand()
    let text = verb == "set" ? arguments.operand() : nil
    try arguments.nothingElse()
    switch verb {
    case "set":
      guard let text, !text.isEmpty else {
        throw Failure(.usage, "here set wants LAT,LON, or an address")
      }
      let word = try Arguments.typed(text)
      var place = SetPlace(try find(word, locale: locale, places: places, daemon: socket))
      if let accuracy { place.horizontalAccuracy = accuracy }
      try administrate(.hereSet(place), at: socket)
      try Output.write("This machine stands at \(line(place)).")
    case "status": try showHere(asJSON: asJSON, at: socket)
    case "forget":
      try administrate(.hereForget, at: socket)
      try Output.write("Nothing that was set says any more where this machine stands.")
    default: throw Failure(.usage, "here wants set, status or forget")
    }
  }

  private static func find(
    _ text: String, locale: String?, places: String, daemon: String
  ) throws(Failure) -> Coordinate {
    if let place = PlaceText.coordinate(in: text) { return place }
    let finder = PlaceFinder(
      service: try PlacesService(at: places), locale: locale, daemon: daemon, offline: false)
    return try finder.find(text, near: nil)
  }

  private static func showHere(asJSON: Bool, at socket: String) throws(Failure) {
    let daemon = try Daemon(at: socket)
    if asJSON { return try Output.write(try daemon.json(.hereStatus)) }
    guard let status = try daemon.ask(.hereStatus, seconds: patience).here,
      let place = status.place
    else { return try Output.write("Nothing says where this machine stands.") }
    let file = status.file.map { " by \($0)" } ?? ""
    try Output.write(
      "This machine stands at \(line(place))\(file)"
        + (status.isSetAside ? "; set aside, as receivers are elsewhere." : "."))
  }

  private static func line(_ place: SetPlace) -> String {
    "\(Describe.place(place.coordinate)) ±\(Describe.metres(place.horizontalAccuracy))"
  }

  static let forget = Command(
    name: "forget", summary: "forget the last place, and the Wi-Fi networks learnt",
    help: """
      Usage: locationctl forget [--socket PATH]

      Forgets the last place, which is kept over a restart, and the Wi-Fi networks
      that were learnt. For administrators.

      """
  ) { (arguments) throws(Failure) in
    let socket = try arguments.socket()
    try arguments.nothingElse()
    try administrate(.forget, at: socket)
    try Output.write("The last place and the learnt networks are forgotten.")
  }
}
