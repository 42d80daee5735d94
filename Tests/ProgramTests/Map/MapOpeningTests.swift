import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The map, opened as people open things") struct MapOpeningTests {
  @Test(
    "shows a geo: address first, which nobody reads in its command line, and copies one; closed, it ends",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func opened() throws {
    let daemon = try RunningDaemon(["static:37.5663,126.9779,38,25"])
    let places = try RunningPlaces.ofWorld()
    let map = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, ["--until-closed", "geo:48.2082,16.3738;u=35"])
    let line = try kernelText("/proc/\(map.program.pid)/cmdline")
    #expect(!line.contains("48.2"), "\(line)")
    try map.see("opened", "Vienna", "geo:48.2082,16.3738")
    #expect(try map.program.exit() == 0)
  }

  @Test("refuses a geo: address that is no place")
  func nonsense() throws {
    for address in ["geo:", "geo:91,0", "geo:1,2;crs=moon", "geo:x"] {
      let program = try Program([Program.path("locationctl"), "map", "--no-browser", address])
      #expect(try program.exit() == 2)
    }
  }

  @Test("prints the line of ssh to somebody who is not here, and to nobody else")
  func forward() throws {
    for connection in ["192.168.1.7 51000 192.168.1.20 22", ""] {
      let program = try Program(
        ["env", "-u", "SSH_CONNECTION", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"]
          + (connection.isEmpty ? [] : ["SSH_CONNECTION=\(connection)"])
          + [Program.path("locationctl"), "map"])
      #expect(try program.line().hasPrefix("http://127.0.0.1:"))
      if connection.isEmpty {
        program.signal(SIGTERM)
        #expect(try program.text().text.isEmpty)
      } else {
        let line = try program.line()
        #expect(line.contains("ssh -N -L ") && line.hasSuffix("@192.168.1.20"), "\(line)")
      }
    }
  }

  @Test("the entry in the menu hands geo: addresses to locationctl, as desktops read it")
  func entry() throws {
    let stage = try Stage("install-map")
    #expect(
      stage.files == [
        "usr/bin/locationd-map", "usr/share/man/man8/locationd-map.8",
        "usr/lib/systemd/user/locationd-settings.service",
        "usr/share/applications/org.locationd.Map.desktop",
        "usr/share/applications/org.locationd.Settings.desktop",
        "usr/share/icons/hicolor/scalable/apps/org.locationd.Map.svg",
      ])
    let heard = stage.file("heard").path
    try writeProgram("#!/bin/sh\necho \"$*\" >'\(heard)'\n", to: stage.file("locationctl").path)
    let script = """
      import sys
      from gi.repository import Gio
      entry = Gio.DesktopAppInfo.new_from_filename(sys.argv[1])
      print(*entry.get_supported_types(), entry.get_icon().to_string())
      assert entry.launch_uris(["geo:48.2,16.37"], None)
      """
    let (text, exit) = try Program(
      ["/usr/bin/python3", "-c", script]
        + [stage.file("usr/share/applications/org.locationd.Map.desktop").path],
      environment: ["PATH": "\(stage.root.path):/usr/bin:/bin"]
    ).text()
    #expect(exit == 0 && text == "x-scheme-handler/geo org.locationd.Map\n", "\(text)")
    let isHeard = eventually(within: patience) {
      (try? String(contentsOfFile: heard, encoding: .utf8))
        == "map --until-closed geo:48.2,16.37\n"
    }
    #expect(isHeard)
    let icon = stage.file("usr/share/icons/hicolor/scalable/apps/org.locationd.Map.svg").path
    #expect(try Program(["xmllint", "--noout", icon]).exit() == 0)
  }
}
