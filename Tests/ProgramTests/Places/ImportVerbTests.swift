import Foundation
import Glibc
import TestSupport
import Testing

/// `locationctl places import` in a folder of its own, beside a program that says what an importer may say.
@Suite(
  "locationctl places import", .timeLimit(.minutes(60)),
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRoot)
struct ImportVerbTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID())")
    var locationctl: String { url.appending(path: "locationctl").path }

    init(_ script: String) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Program.copy(Program.path("locationctl"), to: locationctl)
      let file = url.appending(path: "script")
      try ("#!/bin/sh\n" + script).write(to: file, atomically: true, encoding: .utf8)
      try Program.copy(file.path, to: url.appending(path: "locationd-places").path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private static let phases = """
    [ "$1 $2" = "--import a.pbf" ] || exit 9
    for i in 1 2 3 50 51 100; do echo "{\\"phase\\":\\"ways\\",\\"percent\\":$i}"; done

    """

  @Test("in a pipe progress is told now and then, and success is the exit status")
  func pipe() throws {
    let folder = try Folder(Self.phases)
    let (text, exit) = try Program([folder.locationctl, "places", "import", "a.pbf"]).text()
    #expect(exit == 0 && text == "ways 1 %\nways 50 %\nways 100 %\n", "\(text)")
  }

  @Test("on a terminal it is one line")
  func terminal() throws {
    let folder = try Folder(Self.phases + "echo done")
    let (text, exit) = try Program(
      onTerminal([folder.locationctl, "places", "import", "a.pbf"]), environment: ["TERM": "xterm"]
    ).text()
    #expect(exit == 0 && text.contains("] 100 %\r\ndone"), "\(text)")
    #expect(text.split(separator: "\r\n").count == 2)
  }

  @Test("what the program says is plain, and its failure is told")
  func fails() throws {
    let folder = try Folder(
      """
      printf '\\033[2Jbad\\n'
      printf '{"phase":"\\\\u001b[2J","percent":9223372036854775807}\\n'
      echo "a.pbf: no extract" >&2
      exit 1
      """)
    let (text, exit) = try Program([folder.locationctl, "places", "import", "a.pbf"]).text()
    #expect(exit == 1 && !text.contains("\u{1B}"), "\(text)")
    #expect(text.contains("locationctl: a.pbf: no extract") && text.contains("100 %"), "\(text)")
  }

  @Test("Ctrl-C ends the program, which takes away what it began")
  func cancelled() throws {
    let folder = try Folder(
      """
      trap 'rm "$0.begun"; exit 1' TERM
      touch "$0.begun"
      echo '{"phase":"ways","percent":1}'
      while :; do sleep 0.05; done
      """)
    let program = try Program([folder.locationctl, "places", "import", "a.pbf"])
    #expect(try program.line() == "ways 1 %")
    program.signal(SIGINT)
    let (text, exit) = try program.text()
    #expect(exit == 1 && text.contains("cancelled"), "\(text)")
    let begun = folder.url.appending(path: "locationd-places.begun").path
    #expect(!FileManager.default.fileExists(atPath: begun))
  }

  @Test("remove is handed on")
  func remove() throws {
    let folder = try Folder("echo \"$@\"")
    let (text, exit) = try Program([folder.locationctl, "places", "remove", "monaco"]).text()
    #expect(exit == 0 && text == "--remove monaco\n", "\(text)")
  }
}
