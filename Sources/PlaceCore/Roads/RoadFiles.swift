import LocationModel

/// The files that routino reads beside a map: what tags mean to it, how people travel, and the words that it says.
package enum RoadFiles {
  private static let head = #"<?xml version="1.0" encoding="UTF-8"?>"#

  /// For the program that makes the roads.
  package static var tagging: String {
    text([
      head, "<routino-tagging>", "<node>", RoadTags.yes, RoadTags.barriers, RoadTags.nodeAccess,
      "</node>", "<way>", RoadTags.yes, RoadTags.classes, RoadTags.limits, RoadTags.wayAccess,
      RoadTags.directions, RoadTags.names, #"<if k="area"><output/></if>"#, "</way>", "<relation>",
      #"<if k="type"><output/></if><if k="restriction"><output/></if><if k="except"><output/></if>"#,
      "</relation>", "</routino-tagging>",
    ])
  }

  /// For the one that finds ways. The shorter they are, the sooner it begins.
  package static var profiles: String {
    text(
      [head, "<routino-profiles>"] + Transport.allCases.map { profile(TravelProfile.of($0)) } + [
        "</routino-profiles>"
      ])
  }

  package static var translations: String {
    text([
      head, "<routino-translations>", #"<language lang="en" language="English">"#, "</language>",
      "</routino-translations>",
    ])
  }

  private static func text(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }

  /// No kind of road is shunned for what it is: the time decides.
  private static func profile(_ profile: TravelProfile) -> String {
    var lines = [#"<profile name="\#(profile.name)" transport="\#(profile.name)">"#, "<speeds>"]
    for (road, speed) in profile.speeds {
      lines.append(#"<speed highway="\#(road)" kph="\#(speed)"/>"#)
    }
    lines.append("</speeds><preferences>")
    for (road, speed) in profile.speeds {
      lines.append(#"<preference highway="\#(road)" percent="\#(speed > 0 ? 100 : 0)"/>"#)
    }
    lines.append("</preferences><properties>")
    for kind in ["paved", "multilane", "bridge", "tunnel", "footroute", "bicycleroute"] {
      lines.append(#"<property type="\#(kind)" percent="50"/>"#)
    }
    let obeys = profile.obeysOneWay ? 1 : 0
    lines.append(#"</properties><restrictions><oneway obey="\#(obeys)"/><turns obey="\#(obeys)"/>"#)
    for limit in ["weight", "height", "width", "length"] {
      lines.append(#"<\#(limit) limit="0.0"/>"#)
    }
    return lines.joined(separator: "\n") + "\n</restrictions></profile>"
  }
}

/// The meaning of tags, in routino's language.
enum RoadTags {
  /// Words that let people in. Roads for those who have a reason to be there lead there.
  static let yes = ["designated", "permissive", "official", "destination", "public", "true", "1"]
    .map { #"<if v="\#($0)"><set v="yes"/></if>"# }.joined(separator: "\n")

  private static let everyone = ["foot", "bicycle", "motorcar"]

  /// Travellers that a tag lets in or keeps out, the wider groups first.
  private static let access: [(key: String, who: [String])] = [
    ("access", everyone), ("vehicle", ["bicycle", "motorcar"]), ("motor_vehicle", ["motorcar"]),
    ("motorcar", ["motorcar"]), ("foot", ["foot"]), ("bicycle", ["bicycle"]),
  ]

  private static func output(_ keys: [String], _ value: String) -> String {
    keys.map { #"<output k="\#($0)" v="\#(value)"/>"# }.joined()
  }

  static let barriers: String = {
    let kinds: [(values: [String], who: [String])] = [
      (
        [
          "block", "chain", "cycle_barrier", "debris", "jersey_barrier", "log",
          "motorcycle_barrier",
          "planter", "rope", "spikes", "sump_buster", "bus_trap",
        ], ["motorcar"]
      ),
      (["full-height_turnstile", "kissing_gate", "stile", "turnstile"], ["bicycle", "motorcar"]),
      (["fence", "wall"], everyone),
    ]
    let lines = kinds.flatMap { kind in
      kind.values.map { #"<if k="barrier" v="\#($0)">\#(output(kind.who, "no"))</if>"# }
    }
    return
      (lines + [
        #"<if k="barrier" v="bollard"><ifnot k="bollard" v="rising">\#(output(["motorcar"], "no"))"#
          + "</ifnot></if>",
        #"<if k="highway" v="mini_roundabout"><output k="roundabout" v="yes"/></if>"#,
      ]).joined(separator: "\n")
  }()

  /// Everyone is let past what says nothing.
  static let nodeAccess = access.map { key, who in
    #"<if k="\#(key)" v="yes">\#(output(who, "yes"))</if>"#
      + #"<if k="\#(key)"><ifnot k="\#(key)" v="yes">\#(output(who, "no"))</ifnot></if>"#
  }.joined(separator: "\n")

  /// A wide word lets nobody onto a road that is not for them.
  static let wayAccess: String = {
    var lines = access.map { key, who in
      let narrow = who.count == 1 ? who : []
      let lets = narrow.map { one in
        one == "motorcar"
          ? #"<if k="drivable">\#(output([one], "yes"))</if>"# : output([one], "yes")
      }.joined()
      return #"<if k="\#(key)" v="yes">\#(lets)</if>"#
        + #"<if k="\#(key)"><ifnot k="\#(key)" v="yes">\#(output(who, "no"))</ifnot></if>"#
    }
    lines.insert(#"<if k="motorroad" v="yes">\#(output(["foot", "bicycle"], "no"))</if>"#, at: 0)
    return lines.joined(separator: "\n")
  }()

  static let classes: String = {
    var lines = [
      #"<if k="route" v="ferry"><set k="highway" v="ferry"/></if>"#,
      #"<if k="highway"><set k="mark" v="~"/></if>"#,
    ]
    for value in unpaved {
      lines.append(#"<if k="surface" v="\#(value)"><set k="rough" v="yes"/></if>"#)
    }
    for grade in 2...5 {
      lines.append(#"<if k="tracktype" v="grade\#(grade)"><set k="rough" v="yes"/></if>"#)
    }
    for road in RoadClass.all {
      for value in road.values { lines.append(rule(road, value)) }
    }
    return lines.joined(separator: "\n")
  }()

  private static func rule(_ road: RoadClass, _ value: String) -> String {
    var rule = #"<if k="highway" v="\#(value)"><output k="highway" v="\#(road.name)"/>"#
    if let speed = road.speed, let rough = road.roughSpeed {
      rule += output(["motorcar"], "yes") + #"<set k="drivable" v="yes"/>"#
      rule += #"<output k="maxspeed" v="\#(speed)"/>"#
      rule += #"<if k="rough"><output k="maxspeed" v="\#(rough)"/></if>"#
    }
    // By permission, as the tags say.
    if value == "track" { rule += #"<set k="drivable" v="yes"/><output k="maxspeed" v="16"/>"# }
    if road.isForFeet { rule += output(["foot"], "yes") }
    if road.isForBicycles { rule += output(["bicycle"], "yes") }
    if road.isOneWay { rule += #"<output k="oneway" v="yes"/>"# }
    if let mark = road.mark { rule += #"<set k="mark" v="~\#(mark.rawValue)"/>"# }
    return rule + "</if>"
  }

  private static let unpaved = [
    "unpaved", "compacted", "fine_gravel", "gravel", "pebblestone", "ground", "dirt", "earth",
    "grass", "mud", "sand", "woodchips", "rock", "unsealed",
  ]

  /// People come to four fifths of what a sign allows: the rest is traffic, bends and lights. routino keeps even
  /// numbers.
  static let limits: String = {
    var limits: [(String, Double)] = (1...28).map { ("\($0 * 5)", Double($0 * 5)) }
    limits += (1...16).map { ("\($0 * 5) mph", Double($0 * 5) * 1.609) }
    limits += [("walk", 8), ("none", 140)]
    return limits.map { value, speed in
      let even = max(2, Int((speed * 0.8 / 2).rounded()) * 2)
      return #"<if k="maxspeed" v="\#(value)"><output k="maxspeed" v="\#(even)"/></if>"#
    }.joined(separator: "\n")
  }()

  static let directions: String = {
    var lines = [
      #"<if k="junction" v="roundabout"><output k="oneway" v="yes"/><output k="roundabout" v="yes"/>"#
        + "</if>",
      #"<if k="junction" v="circular"><output k="oneway" v="yes"/></if>"#,
      #"<if k="oneway"><output/></if>"#,
    ]
    let both = #"<output k="cyclebothways" v="yes"/>"#
    lines.append(#"<if k="oneway:bicycle" v="no">\#(both)</if>"#)
    for value in ["opposite", "opposite_lane", "opposite_track"] {
      lines.append(#"<if k="cycleway" v="\#(value)">\#(both)</if>"#)
    }
    return lines.joined(separator: "\n")
  }()

  /// A road without a name has its number. What is marked is told in the number's place: all letters of a mark are
  /// one value, as nothing can be added to one.
  static let names: String = {
    var lines = [
      #"<ifnot k="name"><if k="ref"><set k="name"/></if></ifnot>"#,
      #"<if k="name"><output/></if>"#,
      #"<if k="junction" v="roundabout"><set k="mark" v="~\#(RoadMark.roundabout.rawValue)"/></if>"#,
    ]
    var marks = ["~"]
    for kind in [RoadMark.ferry, .ramp, .roundabout, .stairs] { marks.append("~\(kind.rawValue)") }
    for (test, mark) in [(#"k="toll" v="yes""#, RoadMark.toll), (#"k="rough""#, .unpaved)] {
      for old in marks {
        let new = "\(old)\(mark.rawValue)"
        lines.append(
          #"<if \#(test)><if k="mark" v="\#(old)"><set k="mark" v="\#(new)"/></if></if>"#)
        marks.append(new)
      }
    }
    return (lines + [#"<if k="mark"><output k="ref"/></if>"#]).joined(separator: "\n")
  }()
}
