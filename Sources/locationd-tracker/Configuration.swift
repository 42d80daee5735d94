import Console
import DBus
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The tracker's configuration, by files and flags together.
struct Configuration: Equatable {
  /// The fixes that are asked of the daemon.
  enum Mode: String, CaseIterable {
    /// Each fix while the device moves; significant changes; none but what is asked for.
    case move, significant, manual
  }

  var mode = Mode.move
  var rule = LineKeeper.Rule()
  var followsVisits = true
  var retention = Retention()
  var regions: [Region] = []
  var actions: [String: RegionActions.Plan] = [:]
  var uplinks: [UplinkPlan] = []
  var socket = "/run/locationd/tracker.sock"
  var state: String?
  /// The bus that tells of battery and network; nil for none.
  var bus: BusPlace? = .system
  var logLevel = Log.Level.info
}

// MARK: - Reading

extension Configuration {
  /// A file and the drop-ins beside it. All that is wrong is told; what is right is taken all the same.
  static func read(_ path: String, mustExist: Bool) -> (Configuration, [ConfigurationMistake]) {
    var configuration = Configuration()
    var mistakes: [ConfigurationMistake] = []
    let (files, troubles) = File.withDropIns(
      path, mustExist: mustExist, atMost: ConfigurationText.largestFile + 1)
    mistakes += troubles.map { .init(file: $0.path, what: $0.reason) }
    for (file, bytes) in files {
      mistakes += configuration.apply(ConfigurationText(bytes), of: file)
    }
    return (configuration, mistakes)
  }

  mutating func apply(_ text: ConfigurationText, of file: String) -> [ConfigurationMistake] {
    var mistakes: [ConfigurationMistake] = []
    var section: Section?
    var begun = 0
    func complain(_ line: Int, _ what: String) {
      mistakes.append(ConfigurationMistake(file: file, line: line, what: what))
    }
    func finish() {
      if let what = section.flatMap({ missing(in: $0) }) { complain(begun, what) }
    }
    for line in text.lines {
      do throws(Unusable) {
        switch line.item {
        case .mistake(let what): throw Unusable(what: what)
        case .section(let name):
          finish()
          begun = line.number
          section = .unknown
          section = try Section(name)
        case .assignment(let key, let value):
          guard let section else {
            throw Unusable(what: "'\(key.prefix(40))=' stands before any section")
          }
          try assign(key, value, in: section)
        }
      } catch {
        complain(line.number, error.what)
      }
    }
    finish()
    regions.removeAll { $0.isUnplaced }
    return mistakes
  }

  private enum Section: Equatable {
    case record, tracker
    case region(String)
    case uplink(String)
    /// One mistake is enough for it.
    case unknown

    init(_ text: String) throws(Unusable) {
      let words = text.split(separator: " ", maxSplits: 1).map(String.init)
      let kind = words.first?.lowercased() ?? ""
      switch (kind, words.count) {
      case ("record", 1): self = .record
      case ("tracker", 1): self = .tracker
      case ("region", 2): self = .region(try Self.name(words[1]))
      case ("uplink", 2): self = .uplink(try Self.name(words[1]))
      case ("region", _), ("uplink", _):
        throw Unusable(what: "a section [\(text.prefix(40))] has a name: [\(text.prefix(40)) NAME]")
      default: throw Unusable(what: "there is no section [\(text.prefix(40))]")
      }
    }

    private static func name(_ text: String) throws(Unusable) -> String {
      guard text.utf8.count <= 64 else {
        throw Unusable(what: "a name has at most 64 bytes: '\(text.prefix(40))…'")
      }
      return text
    }
  }

  private func missing(in section: Section) -> String? {
    switch section {
    case .region(let name) where !regions.contains { $0.identifier == name && !$0.isUnplaced }:
      "[Region \(name)] wants Circle=LATITUDE,LONGITUDE,METRES or GeoJSON=FILE"
    case .uplink(let name) where !uplinks.contains { $0.name == name }:
      "[Uplink \(name)] wants URL="
    default: nil
    }
  }
}

// MARK: - Keys

extension Configuration {
  private mutating func assign(
    _ key: String, _ value: String, in section: Section
  ) throws(Unusable) {
    switch section {
    case .record: try assignRecord(key, value)
    case .tracker: try assignTracker(key, value)
    case .region(let name): try assignRegion(name, key, value)
    case .uplink(let name): try assignUplink(name, key, value)
    case .unknown: break
    }
  }

  private mutating func assignRecord(_ key: String, _ value: String) throws(Unusable) {
    let standard = Configuration()
    switch key.lowercased() {
    case "mode":
      guard let mode = value.isEmpty ? standard.mode : Mode(rawValue: value.lowercased()) else {
        throw Unusable(what: "Mode= is move, significant or manual")
      }
      self.mode = mode
    case "distance": rule.distance = try value.number(key, 1...1e6, standard.rule.distance)
    case "interval": rule.interval = try value.duration(key, 1...86_400, standard.rule.interval)
    case "turn": rule.turn = try value.number(key, 1...360, standard.rule.turn)
    case "accuracy": rule.accuracy = try value.number(key, 1...1e5, standard.rule.accuracy)
    case "error": rule.error = try value.number(key, 1...1e4, standard.rule.error)
    case "visits": followsVisits = try value.truth(key, standard.followsVisits)
    case "keep": retention.age = try value.duration(key, 3600...3.2e9, standard.retention.age)
    case "budget":
      retention.bytes = try value.bytes(key, 1 << 20...1 << 40, standard.retention.bytes)
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Record]")
    }
  }

  private mutating func assignTracker(_ key: String, _ value: String) throws(Unusable) {
    switch key.lowercased() {
    case "socket":
      // The kernel takes no longer one.
      guard value.isEmpty || value.hasPrefix("/") && value.utf8.count < 108 else {
        throw Unusable(what: "Socket= wants a whole path of at most 107 bytes")
      }
      socket = value.isEmpty ? Configuration().socket : value
    case "state":
      guard value.isEmpty || value.hasPrefix("/") else {
        throw Unusable(what: "State= wants a whole path")
      }
      state = value.isEmpty ? nil : value
    case "bus":
      do throws(BusError) {
        bus = value.isEmpty ? .system : try BusPlace.named(value)
      } catch {
        throw Unusable(what: "Bus= is system, session, none or an address: \(error.message)")
      }
    case "loglevel":
      guard let level = value.isEmpty ? .info : Log.Level(name: value) else {
        throw Unusable(what: "LogLevel= is one of error, warning, notice, info, debug")
      }
      logLevel = level
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Tracker]")
    }
  }

  private mutating func assignRegion(
    _ name: String, _ key: String, _ value: String
  ) throws(Unusable) {
    switch key.lowercased() {
    case "circle":
      let numbers = value.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
      guard numbers.count == 3, numbers[2] > 0, numbers[2] <= Region.longestRadius else {
        throw Unusable(what: "Circle= wants LATITUDE,LONGITUDE,METRES")
      }
      let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
      guard place.isValid else { throw Unusable(what: "Circle= lies nowhere on the Earth") }
      regions.removeAll { $0.identifier == name }
      regions.append(Region(identifier: name, .circle(place, radius: numbers[2])))
    case "geojson":
      let region = try Self.region(name, from: try value.wholePath(key))
      regions.removeAll { $0.identifier == name }
      regions.append(region)
    case "onenter": actions[name, default: .init()].onEnter = try value.template(key)
    case "onexit": actions[name, default: .init()].onExit = try value.template(key)
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Region]")
    }
  }

  private static let longestGeoJSON = 1 << 20

  private static func region(_ name: String, from path: String) throws(Unusable) -> Region {
    let text: [UInt8]
    do throws(SystemError) {
      text = try File.bytes(of: path, atMost: longestGeoJSON + 1)
    } catch {
      throw Unusable(what: "\(error)")
    }
    guard text.count <= longestGeoJSON else { throw Unusable(what: "\(path) is longer than 1 MiB") }
    do throws(GeoJSONError) {
      return try Region(geoJSON: text, identifier: name)
    } catch {
      throw Unusable(what: "\(path): \(error.reason)")
    }
  }

  private mutating func assignUplink(
    _ name: String, _ key: String, _ value: String
  ) throws(Unusable) {
    if key.lowercased() == "url" {
      do throws(Unusable) {
        let address = try UplinkAddress(value)
        if let i = uplinks.firstIndex(where: { $0.name == name }) {
          uplinks[i].address = address
        } else {
          uplinks.append(UplinkPlan(name: name, address))
        }
      } catch {
        throw Unusable(what: error.what)
      }
      return
    }
    guard let i = uplinks.firstIndex(where: { $0.name == name }) else {
      throw Unusable(what: "URL= comes first in [Uplink \(name)]")
    }
    let word = value.isEmpty ? nil : value
    switch key.lowercased() {
    case "deviceid": uplinks[i].device = word
    case "password":
      guard word?.hasPrefix("@/") ?? true else {
        throw Unusable(what: "Password= wants the file that it stands in: @/PATH")
      }
      uplinks[i].password = word.map { String($0.dropFirst()) }
    case "ca":
      uplinks[i].authority = try word.map { (path) throws(Unusable) in try path.wholePath(key) }
    case "certificate":
      uplinks[i].certificate = try word.map { (path) throws(Unusable) in try path.wholePath(key) }
    case "key": uplinks[i].key = try word.map { (path) throws(Unusable) in try path.wholePath(key) }
    case "batch":
      uplinks[i].batch =
        word == nil ? nil : Int(try value.number(key, 1...Double(UplinkQueue.mostAtOnce), 1))
    case "heartbeat":
      uplinks[i].heartbeat = word == nil ? nil : try value.duration(key, 10...604_800, .zero)
    case "onlyon": uplinks[i].onlyOn = try value.networks(key)
    case "budget":
      uplinks[i].budget = word.flatMap(DataBudget.Limit.init(text:))
      guard word == nil || uplinks[i].budget != nil else {
        throw Unusable(what: "Budget= wants a size and a time such as 100M/month or 2M/day")
      }
    case "newest": uplinks[i].isNewestFirst = try value.truth(key, false)
    case "commands": uplinks[i].takesCommands = try value.truth(key, false)
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Uplink]")
    }
  }
}

extension Region {
  fileprivate var isUnplaced: Bool {
    if case .circle(_, let radius) = shape { radius <= 0 } else { false }
  }
}

extension String {
  /// Words between spaces; one with spaces of its own stands in quotes.
  fileprivate func networks(_ key: String) throws(Unusable) -> [String] {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { throw Unusable(what: "\(key)= lacks a quote") }
    return parts.enumerated().flatMap { i, part in
      i % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  /// The name of a template unit, without `@` and what follows.
  fileprivate func template(_ key: String) throws(Unusable) -> String? {
    if isEmpty { return nil }
    let isName = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, utf8.count <= 200 else {
      throw Unusable(what: "\(key)= wants the NAME of a template NAME@.service")
    }
    return self
  }
}
