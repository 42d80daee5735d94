import Testing

/// The types of the programs that own a piece of the machine. They perform; a Core decides.
@Suite("Owners") struct OwnersTests {
  /// A property of such a type is a descriptor, a timer, a database or a child.
  private static let pieces = [
    "EventLoop.Timer", "EventLoop.Watch", "EventLoop.Later", "EventLoop.SignalWatch", "Descriptor",
    "UnixListener", "LineListener", "Database", "SealedDatabase", "DatabaseBuilder",
    "DatabaseWriter", "FolderWatch", "Subprocess", "Dialer",
  ]

  private static let owners: [String: [String: String]] = [
    "build-places": [
      "AreaBuilder": "writes areas", "FeatureBuilder": "writes lakes, peaks and airports",
      "PlaceBuilder": "writes places",
      "PostcodeBuilder": "writes postcodes", "RegionBuilder": "writes provinces",
      "ZoneBuilder": "writes time zones",
    ],
    "locationd": [
      "BusAgents": "tells the service of agents in the loop's next turn",
      "Claims": "other programs have so long to say which devices are theirs",
      "BeaconAdvertisement": "asks bluetoothd again for an advertisement",
      "BeaconSource": "hands thousands of reports over ten times a second",
      "CompassSource": "lets go of a compass in the loop's next turn",
      "Daemon": "signals, and the service's next moment",
      "DatagramSource": "binds a socket again",
      "GeoClueClient": "a client's threshold of time",
      "GpsdSource": "gpsd's silence",
      "Identifier": "an agent has so long to come back",
      "Journal": "says later what lasts",
      "Ledger": "the database of permissions and registrations",
      "ModemSource": "asks a modem again, and reads its port",
      "Link": "a stream to a receiver", "Link.Stream": "its descriptor",
      "LocationProperties": "a property of GeoClue's changes at most so often",
      "ManagedRadio": "the networks' own times come after a scan's",
      "NMEAReader": "the silence that ends an epoch",
      "ReplaySource": "a recording and its pace", "SocketDoor": "the clients of the socket",
      "StaticSource": "a place that is told each second", "TtyLine": "a serial line",
      "TtySource": "looks for a receiver",
    ],
    "locationd-agent": [
      "Agent": "the connection to the daemon",
      "DesktopSetting": "what a program says of a setting",
      "HoldNotice": "asks a desktop again that refused", "PortalPrompt": "asks a backend again",
      "ZoneNotice": "looks at a setting again",
    ],
    "locationd-timezone": [
      "Question": "an answer's time", "ZoneService": "signals, and the next look",
    ],
    "locationd-tracker": [
      "ControlDoor": "the clients of the socket", "DaemonLink": "the connection to the daemon",
      "Forgetting": "how long an answer waits for brokers",
      "Renewal": "asks for a certificate beside it", "Settings": "the pace of a trial",
      "Tracker": "signals, and what is written later", "TrialRun": "the pace of a trial",
      "Uplink": "the pace of a server",
      "Waypoints": "writes waypoints again",
    ],
    "locationctl": [
      "BatchRun": "a table of questions", "LineReader": "what a program says",
      "MapHelper": "the map's server",
      "PasswordAgent": "asks for a password on a terminal",
      "RecordingFile": "a recording, perhaps unpacked",
    ],
    "locationd-places": [
      "PlaceService": "questions have their turn when the loop has nothing else",
      "PlacesDaemon": "signals, and the end when nobody asks",
      "RoadRouter": "ways are searched for in the loop's turns",
      "ServerLink": "the pace of the servers",
      "SocketDoor": "the clients of the socket",
    ],
    "locationd-map": ["ParentLink": "the parent's words"],
    "locationd-share": [
      "ClientConnection": "one program's bytes, and its silence",
      "ClientSocket": "its descriptor, which the daemon is handed",
      "DaemonLink": "the connection to the daemon", "DaemonLink.Stream": "its descriptor",
      "Share": "signals, and each second without a fix", "ShareDoors": "the sockets that listen",
    ],
  ]

  @Test(
    "a type of a program that owns a descriptor, a timer, a database or a child is on the list",
    arguments: WallsTests.programs.sorted())
  func listed(program: String) throws {
    let found = try House.files(of: program).reduce(into: Set<String>()) {
      $0.formUnion(Self.owners(in: $1))
    }
    #expect(found == Set(Self.owners[program, default: [:]].keys))
  }

  /// The types of a file that have such a property, with those that they stand in.
  private static func owners(in file: House.File) -> Set<String> {
    var types: [(name: Substring, indent: Int)] = []
    var found: Set<String> = []
    for line in file.codeLines {
      let indent = line.prefix { $0 == " " }.count
      let words = line.split {
        !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-")
      }
      guard let first = words.first else { continue }
      if first != "}" { types.removeAll { $0.indent >= indent } }
      if let i = words.firstIndex(where: { ["class", "struct", "enum", "extension"].contains($0) }),
        i + 1 < words.count, words[i + 1].first?.isUppercase == true
      {
        types.append((words[i + 1], indent))
      } else if let owner = types.last, indent == owner.indent + 2,
        words.contains("let") || words.contains("var"), !words.contains("static"),
        !line.hasSuffix("{"), words.contains(where: { pieces.contains(String($0)) })
      {
        found.insert(types.map { String($0.name) }.joined(separator: "."))
      }
    }
    return found
  }
}
