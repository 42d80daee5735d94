import Console
import LocationModel
import Platform
import Testing

/// A configuration with a key of each kind, and a section with names.
private struct Garden: Configurable, Equatable {
  enum Mode: String, CaseIterable { case rest, grow, bloom }

  struct Bed: Equatable {
    var name: String
    var plant: String?
    var isWet = false
  }

  var mode = Mode.grow
  var width = 2.5
  var pause: Duration? = .seconds(9)
  var water = 1 << 20
  var socket = "/run/garden"
  var logLevel = Log.Level.info
  var beds: [Bed] = []

  static var keys: [ConfigurationKey<Garden>] {
    let bed: [ConfigurationKey<Bed>] = [
      .init("Bed", "Plant", \.plant, .text), .init("Bed", "Wet", \.isWet, .truth, standard: false),
    ]
    let named: [ConfigurationKey<Garden>] = bed.map { key in
      ConfigurationKey("Bed", isNamed: true, key.name) { (text, name, garden) throws(Unusable) in
        var i = garden.beds.count
        if let known = garden.beds.firstIndex(where: { $0.name == name }) {
          i = known
        } else {
          garden.beds.append(Bed(name: name))
        }
        try key.assign(text, name, &garden.beds[i])
      }
    }
    return named + [
      .init("Garden", "Mode", \.mode, .word), .init("Garden", "Width", \.width, .number(1...10)),
      .init("Garden", "Pause", \.pause, .duration(1...3600)),
      .init("Garden", "Water", \.water, .bytes(1 << 10...1 << 30)),
      .init("Door", "Socket", \.socket, .socketPath),
      .init("Door", "LogLevel", \.logLevel, .logLevel),
    ]
  }

  func missing(in section: String, _ name: String) -> String? {
    beds.contains { $0.name == name && $0.plant != nil } || section != "Bed"
      ? nil : "[Bed \(name)] wants Plant="
  }
}

@Suite("A table of keys") struct ConfigurableTests {
  private func read(
    _ text: String, into garden: Garden = Garden()
  ) -> (garden: Garden, mistakes: [String]) {
    var garden = garden
    let mistakes = garden.apply(ConfigurationText(Array(text.utf8)), of: "f")
    return (garden, mistakes.map(\.description))
  }

  @Test("each key sets its part, large or small, and the last value holds")
  func keys() {
    let (garden, mistakes) = read(
      """
      [garden]
      mode=Bloom
      WIDTH=3
      Pause=2 min
      Water=4K
      [Door]
      Socket=/a
      LogLevel=debug
      [GARDEN]
      Width=4.5
      """)
    #expect(mistakes.isEmpty)
    var expected = Garden()
    expected.mode = .bloom
    expected.width = 4.5
    expected.pause = .seconds(120)
    expected.water = 4096
    expected.socket = "/a"
    expected.logLevel = .debug
    #expect(garden == expected)
  }

  @Test("an empty value brings back the standard, or none where there need be none")
  func empty() {
    var garden = Garden()
    garden.width = 9
    garden.socket = "/b"
    let (read, mistakes) = read("[Garden]\nWidth=\nPause=\n[Door]\nSocket=\n", into: garden)
    #expect(mistakes.isEmpty)
    #expect(read.width == 2.5 && read.socket == "/run/garden" && read.pause == nil)
  }

  @Test("a section with a name sets the parts of that name, and says where it lacks something")
  func named() {
    let (garden, mistakes) = read(
      "[Bed north]\nPlant=rose\n[Bed by the wall]\nWet=yes\n\n[bed north]\nWet=on\n")
    #expect(
      garden.beds == [
        .init(name: "north", plant: "rose", isWet: true), .init(name: "by the wall", isWet: true),
      ])
    #expect(mistakes == ["f:3: [Bed by the wall] wants Plant="])
  }

  @Test(
    "each mistake is told in its words, with its line",
    arguments: [
      ("Mode=grow", "f:1: 'Mode=' stands before any section"),
      ("[Gardens]\nMode=x\nNothing=1", "f:1: there is no section [Gardens]"),
      ("[Garden south]\nMode=x", "f:1: there is no section [Garden south]"),
      ("[Bed]\nPlant=x", "f:1: a section [Bed] has a name: [Bed NAME]"),
      ("[garden]\nmood=x", "f:2: there is no key 'mood' in [Garden]"),
      ("[Bed a]\nPlant=x\nMode=rest", "f:3: there is no key 'Mode' in [Bed]"),
      ("[Garden]\nMode=sleep", "f:2: Mode= is rest, grow or bloom"),
      ("[Garden]\nWidth=wide", "f:2: Width= wants a number from 1 to 10"),
      ("[Garden]\nWidth=nan", "f:2: Width= wants a number from 1 to 10"),
      ("[Garden]\nPause=soon", "f:2: Pause= wants a time from 1s to 1h, in s, min, h or d"),
      ("[Garden]\nPause=2h", "f:2: Pause= wants a time from 1s to 1h, in s, min, h or d"),
      ("[Garden]\nWater=2G", "f:2: Water= wants a size from 1K to 1G"),
      ("[Garden]\nWater=9999999999999999G", "f:2: Water= wants a size from 1K to 1G"),
      ("[Door]\nSocket=s", "f:2: Socket= wants a whole path of at most 107 bytes"),
      ("[Door]\nLogLevel=loud", "f:2: LogLevel= is one of error, warning, notice, info, debug"),
      ("[Bed a]\nPlant=x\nWet=maybe", "f:3: Wet= is yes or no"),
    ])
  func mistakes(text: String, told: String) {
    #expect(read(text).mistakes == [told])
  }

  @Test("a name is no longer than 64 bytes, and one mistake is enough for its section")
  func longName() {
    let (garden, mistakes) = read("[Bed \(String(repeating: "a", count: 65))]\nPlant=x\nOdd=1\n")
    #expect(garden == Garden())
    #expect(
      mistakes == [
        "f:1: a name has at most 64 bytes: '\(String(repeating: "a", count: 40))…'"
      ])
  }

  @Test("what is right is taken, whatever else is wrong")
  func others() {
    let (garden, mistakes) = read("[Garden]\nWidth=x\nMode=rest\n[Odd]\n[Door]\nSocket=/a\n=")
    #expect(garden.mode == .rest && garden.socket == "/a" && garden.width == 2.5)
    #expect(mistakes.map { $0.prefix(4) } == ["f:2:", "f:4:", "f:7:"])
  }
}

@Suite("ConfigurationValue") struct ConfigurationValueTests {
  @Test(
    "a count has digits and a unit, within its range",
    arguments: [
      ("7", 7), ("2 min", 120), ("2min", 120), ("0", nil), ("3601", nil), ("61min", nil),
      ("-1", nil), ("1.5", nil), ("٣", nil), ("min", nil), ("9223372036854775807min", nil),
    ] as [(String, Int?)])
  func count(text: String, seconds: Int?) {
    let kind = ConfigurationValue<Int>.count(1...3600, units: ["s": 1, "min": 60])
    #expect((try? kind.parse("A=", text)) == seconds)
    guard seconds == nil else { return }
    #expect(throws: Unusable(what: "A= wants a number from 1 to 3600 (or with min, s)")) {
      try kind.parse("A=", text)
    }
  }

  @Test("an option is named as it is written")
  func option() {
    #expect {
      var arguments = Arguments(["--level", "loud"])
      return try arguments.value("--level", as: .logLevel)
    } throws: {
      ($0 as? Failure)?.message == "--level is one of error, warning, notice, info, debug"
    }
    #expect(throws: Failure.self) {
      var arguments = Arguments(["--at=1", "--at", "x"])
      return try arguments.values("--at", as: .number(0...2))
    }
  }

  @Test("a word may be written large, and a truth in four ways")
  func words() throws {
    for text in ["yes", "True", "ON", "1"] {
      #expect(try ConfigurationValue<Bool>.truth.parse("", text))
    }
    for text in ["no", "false", "Off", "0"] {
      #expect(try !ConfigurationValue<Bool>.truth.parse("", text))
    }
    #expect(throws: Unusable.self) { try ConfigurationValue<Bool>.truth.parse("", "") }
  }
}
