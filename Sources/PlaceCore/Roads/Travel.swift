/// How one kind of traveller goes on a road.
struct Travel {
  struct Lane {
    var isOpen = true
    /// Kilometres an hour; nil where nothing says it.
    var speed: Double?
    /// The share of the speed that counts when ways are compared.
    var share = 1.0
    /// Only for those who have business there.
    var isLocal = false
    /// A bicycle is pushed.
    var isPushed = false

    mutating func limit(_ most: Double?) {
      if let most, let speed { self.speed = min(speed, most) }
    }

    /// A lane without a speed is for others.
    var isUsable: Bool { isOpen && (speed ?? 0) > 0 }

    /// Hundredths of a second a kilometre.
    var time: UInt32 { isUsable ? Self.pace(speed ?? 0) : 0 }
    var cost: UInt32 { isUsable ? Self.pace((speed ?? 0) * share) : 0 }

    private static func pace(_ speed: Double) -> UInt32 {
      UInt32(min(max((360_000 / speed).rounded(), 1), 36_000_000))
    }
  }

  var ahead = Lane()
  var back = Lane()
  /// Seconds of the whole way, where a tag says them.
  var seconds: Double?

  var isClosed: Bool { !ahead.isOpen && !back.isOpen }

  mutating func setSpeed(_ speed: Double) { (ahead.speed, back.speed) = (speed, speed) }

  mutating func limit(_ most: Double?) {
    ahead.limit(most)
    back.limit(most)
  }

  /// Bad ground lets nobody go faster.
  mutating func limit(on ground: [String: Double], _ value: String?) {
    if let value { limit(ground[value]) }
  }

  /// Shuts the directions whose words keep these travellers out.
  mutating func shut(by access: Both<String?>, _ words: AccessWords) {
    if words.isBarred(access.ahead), !ahead.isLocal { ahead.isOpen = false }
    if words.isBarred(access.back), !back.isLocal { back.isOpen = false }
  }

  /// Where the kind of road says nothing, a word that lets people in does.
  mutating func setSpeed(_ speed: Double, where access: Both<String?>, _ words: AccessWords) {
    func lets(_ word: String?) -> Bool { word != nil && !words.isBarred(word) }
    if lets(access.ahead) { ahead.speed = speed }
    if lets(access.back) { back.speed = speed }
    if access.ahead == nil, access.back != nil { ahead.isOpen = false }
    if access.back == nil, access.ahead != nil { back.isOpen = false }
  }

  mutating func obey(oneway: String?) {
    switch oneway {
    case "-1": ahead.isOpen = false
    case "yes", "1", "true": back.isOpen = false
    default: break
    }
  }

  /// A ship or a train that takes them along, as fast as the tag says.
  mutating func board(_ tags: WayTags, _ speed: Double) {
    seconds = Measures.duration(tags["duration"])
    setSpeed(speed)
  }
}

/// Roads that nobody uses, for each kind of traveller other words.
struct ShutWords {
  /// Areas and roads of changing direction.
  var areas = false
  var construction = false
  var motorroads = false

  func isShut(_ tags: WayTags) -> Bool {
    if areas, tags["area"] == "yes" || tags["oneway"] == "reversible" { return true }
    if motorroads, tags["motorroad"] == "yes" { return true }
    if construction {
      if tags["highway"] == "construction" || tags["railway"] == "construction" { return true }
      // A road that is open otherwise is shut by the word alone, as OSRM does.
      if let word = tags["construction"], !["no", "widening", "minor"].contains(word) {
        return true
      }
    }
    if tags["proposed"] != nil, [nil, "proposed"].contains(tags["highway"]) { return true }
    return tags["impassable"] == "yes" || tags["status"] == "impassable"
  }
}
