import Foundation
import TestSupport
import Testing

@Suite("The page of make bench") final class BenchPageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A bench with a peer, whose median of ratios is 0.5; its bar is the argument.
  private static let pairs = """
    say() { python3 -c 'import sys; sys.path.insert(0, "Tests/Servers"); import figures; \
    figures.say_pairs("fix", [1, 9, 3], [2, 9, 10], "ms", "gpsd", mostOfPeer=float(sys.argv[1])); \
    figures.end()' $1; }; say
    """

  private func run(
    _ table: String, _ names: String..., environment: [String: String] = [:]
  ) throws -> (page: String, said: String, exit: Int32) {
    try FileManager.default.write(["table": table], in: folder)
    let page = folder.appending(path: "page.md")
    let command = [
      "python3", Checkout.path + "/Tests/Benchmarks/run", folder.appending(path: "table").path,
      page.path,
    ]
    let (said, exit) = try Program(
      command + names, environment: ["BENCH_QUICK": ""].merging(environment) { $1 }
    ).text()
    return ((try? String(contentsOf: page, encoding: .utf8)) ?? "", said, exit)
  }

  @Test("figures stand beside their peer's, with the machine, versions, load and date")
  func page() throws {
    let (page, said, exit) = try run(
      """
      # A comment.
      [decode] Sentences
      echo a word of its own; \(Self.pairs) 0.6
      echo '{"figure":"found","value":99.25,"unit":"% of 320","least":97,"passed":true}'

      [other] More
      echo '{"figure":"memory","value":1024,"unit":"kB"}'
      """)
    #expect(exit == 0, "\(said)")
    #expect(said.contains("a word of its own") && said.contains("Each bar that was measured holds"))
    #expect(page.contains("## decode: Sentences") && page.contains("## other: More"))
    #expect(page.contains("| fix | 3 ms | gpsd: 9 ms | 0.5 | ≤ 0.6 of the peer's | holds |"))
    #expect(page.contains("| found | 99.25 % of 320 |  |  | ≥ 97 % | holds |"))
    #expect(page.contains("| memory | 1024 kB |  |  |  |  |"))
    #expect(page.contains("3 figures; 2 have a bar, 0 miss it; 0 commands failed."))
    let year = Calendar.current.component(.year, from: Date())
    #expect(page.hasPrefix("# Figures of ") && page.contains(" \(year), "))
    for part in [" commit ", " processors, ", "; Linux ", "* Peers: ", "osrm-bindings ", "* Load "]
    {
      #expect(page.contains(part), "\(part): \(page)")
    }
    #expect(!page.contains("Quick"))
  }

  @Test("a bar that is missed ends the run with 3, after all have run")
  func missed() throws {
    let bad = try run(
      """
      [slow] Slow
      \(Self.pairs) 0.4
      [last] Last
      echo '{"figure":"last","value":1,"unit":"s"}'
      """)
    #expect(bad.exit == 3, "\(bad.said)")
    #expect(bad.page.contains("2 figures; 1 have a bar, 1 miss it; 0 commands failed."))
    #expect(bad.page.contains("## last: Last"))
    #expect(bad.said.contains("1 bars are missed, 0 commands failed"))
  }

  @Test("a bench that ends early or says nothing fails with 1, though bars are missed, too")
  func failed() throws {
    let bad = try run(
      """
      [slow] Slow
      \(Self.pairs) 0.4
      [dead] Dead
      echo '{"figure":"first","value":1,"unit":"s"}'; exit 3
      [error] Error
      echo '{"figure":"wrong","value":1,"unit":"s","passed":false}'; exit 1
      [mute] Mute
      true
      [late] Late
      sleep 600
      [daemon] Daemon
      sleep 600 & echo '{"figure":"daemon","value":1,"unit":"s"}'
      [last] Last
      echo '{"figure":"last","value":1,"unit":"s"}'
      """, environment: ["BENCH_LONGEST": "2"])
    #expect(bad.exit == 1)
    #expect(bad.page.contains("| ≤ 0.4 of the peer's | **MISSED** |"))
    #expect(bad.page.contains("5 figures; 2 have a bar, 2 miss it; 4 commands failed."))
    for name in [
      "slow: fix", "dead: `echo", "error: `echo", "mute: `true` ended with 0", "late: `sleep 600`",
    ] {
      #expect(bad.page.contains("\n* \(name)") && bad.said.contains("* \(name)"), "\(name)")
    }
    #expect(bad.page.contains("## last: Last"))
  }

  @Test("a part is run by its name, in short where that is asked for, and an unknown name is told")
  func parts() throws {
    let table = """
      [one] One
      echo '{"figure":"one","value":1,"unit":"s"}'
      [two] Two
      [ "$BENCH_QUICK" = 1 ] && echo '{"figure":"two","value":2,"unit":"s"}'
      """
    let part = try run(table, "two", environment: ["BENCH_QUICK": "1"])
    #expect(part.exit == 0, "\(part.said)")
    #expect(part.page.contains("## two") && !part.page.contains("## one"))
    #expect(part.page.contains("**Quick"))
    let unknown = try run(table, "three")
    #expect(unknown.exit == 1 && unknown.said.contains("no bench: three; there are one, two"))
  }

  @Test("the table of make bench names programs that are there")
  func table() throws {
    let table = try String(
      contentsOfFile: Checkout.path + "/Tests/Benchmarks/benches", encoding: .utf8)
    let manifest = try String(
      contentsOfFile: Checkout.path + "/Tests/Benchmarks/Package.swift", encoding: .utf8)
    let scripts = table.matches(of: #/Tests/Servers/[\w-]+\.py/#).map { String($0.output) }
    #expect(scripts.count >= 5)
    for script in scripts {
      #expect(FileManager.default.fileExists(atPath: Checkout.path + "/" + script), "\(script)")
    }
    let benches = table.matches(of: #/\$BENCHES\/([\w-]+)/#).map { String($0.1) }
    #expect(benches.count >= 7)
    for bench in benches { #expect(manifest.contains("name: \"\(bench)\""), "\(bench)") }
  }
}
