import Console
import LocationCore
import LocationModel
import Platform

@testable import locationd

extension Decoder {
  /// `locationd.conf` and the rules of `policy.d`.
  static var configuration: Decoder {
    let file = """
      # A comment.
      [Sources]
      Source=gpsd://localhost:2947/dev/ttyUSB0
      Source=nmea:///dev/ttyUSB0?baud=9600
      Source=nmea:auto?match=/dev/ttyAMA*
      Source=nmea+tcp://[::1]:10110
      Source=nmea+udp://0.0.0.0:10110
      Source=replay:///a%20b.nmea?rate=2.5&loop=1
      Source=static:37.5,126.9,38,10
      LingerSec=10 min
      [Power]
      LongestPauseSec=1
      SearchSec=60s
      [Limits]
      BytesPerUser=16 M
      RegionsPerApp=20
      [DBus]
      Bus=unix:path=/a
      GeoClue=yes
      [Daemon]
      LogLevel=debug
      State=none
      [Permissions]
      InUse=logind
      KeepInUseSec=4 \\
        h
      """
    let rules = """
      [Rule]
      App=exe:/usr/bin/*
      User=root nobody 65534
      Group=root 0
      Action=allow
      Level=always
      Accuracy=reduced
      [Rule]
      Action=deny
      """
    return Decoder(
      name: "configuration",
      words: extremes + [
        "[Sources]\n", "[Rule]\n", "[Limits]\n", "Source=", "User=", "Group=", "App=", "\\\n", "=",
        "nmea:auto?", "baud=", "rate=", "loop=", "match=", "static:", "gpsd://[", "%00", "%FF",
        " G",
        " min", "\n#", "unix:abstract=", "tcp:host=a,port=",
      ],
      seeds: [[UInt8](0x40, file), [UInt8](0x41, rules)]
        + file.split(separator: "\n").filter { $0.contains("=") }
        .map { [UInt8](0x40, "[Sources]\n[Limits]\n\($0)\n") }
    ) { input in
      let (choice, bytes) = input.choice
      let text = ConfigurationText(bytes)
      if choice & 1 == 0 {
        var configuration = Configuration()
        for mistake in configuration.apply(text, of: "file") {
          check(mistake.what.utf8.count < 1 << 16, "the mistake is too long")
        }
        for source in configuration.usedSources {
          check(!source.name.isEmpty, "a source of no name")
        }
        check((0...3600).contains(configuration.linger), "it lingers for ever")
        check(configuration.door.bytesPerUser <= 1 << 30, "a user may take all")
        check(configuration.longestHold <= 604_800, "it is in use for ever")
      } else {
        let rules = PolicyText(text, of: "file", accounts)
        check(rules.entries.count <= text.lines.count, "a rule out of nothing")
        check(rules.mistakes.count <= text.lines.count + 4096, "mistakes out of nothing")
      }
    }
  }

  private static let accounts = Accounts()
}
