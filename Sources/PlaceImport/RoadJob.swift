internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// The roads of an extract, made by routino's planetsplitter: a folder `NAME.roads` beside its places. It is
/// there when it is whole, and a program that is killed leaves nothing that counts.
final class RoadJob {
  enum Outcome: Equatable {
    case made
    /// The extract has none; the sentence says why.
    case missing(String)
  }

  private let file: Int32
  private let place: String
  private let unfinished: String
  private let show: (_ phase: String, _ percent: Int) -> Bool
  private var text: [UInt8] = []
  private var percent = 0
  private var isPlaced = false

  static let program = "planetsplitter"

  static func unfinished(_ place: String) -> String { place + ".unfinished" }

  /// `file` is an open extract, `show` says whether the work goes on.
  init(_ file: Int32, place: String, show: @escaping (String, Int) -> Bool) {
    self.file = file
    self.place = place
    self.show = show
    unfinished = Self.unfinished(place)
  }

  deinit { if !isPlaced { Folder.remove(unfinished) } }

  /// Nil where the work is cancelled.
  func run() throws(SystemError) -> Outcome? {
    guard show("roads", percent) else { return nil }
    Folder.remove(unfinished)
    guard let program = Process.program(Self.program) else {
      return .missing("Ways need routino: install it (apt install routino), and import again.")
    }
    try Folder.make(unfinished)
    let start = "\(unfinished)/\(Routino.prefix)"
    try File.write(Array(RoadFiles.tagging.utf8), to: "\(start)-tagging.xml")
    try File.write(Array(RoadFiles.profiles.utf8), to: "\(start)-profiles.xml")
    try File.write(Array(RoadFiles.translations.utf8), to: "\(start)-translations.xml")
    let extract = "\(start).osm.pbf"
    guard let end = try split(program, extract, tagging: "\(start)-tagging.xml") else { return nil }
    guard end.end == .exited(0), File.isThere("\(start)-nodes.mem") else {
      return .missing("No ways will be found in it: \(Self.complaint(end)).")
    }
    for path in ["\(start)-tagging.xml", extract] { File.remove(path) }
    try Folder.seal(unfinished)
    return .made
  }

  /// In place of what was there.
  func putInPlace() throws(SystemError) {
    try Folder.exchange(unfinished, place)
    isPlaced = true
    Folder.remove(unfinished)
  }

  private func split(
    _ program: String, _ extract: String, tagging: String
  ) throws(SystemError) -> ChildProcess.Outcome? {
    let loop = try EventLoop()
    let feed = try FilePipe(extract, of: file, on: loop)
    var outcome: ChildProcess.Outcome?
    var child: ChildProcess? = try ChildProcess(
      program,
      [
        "--dir=\(unfinished)", "--prefix=\(Routino.prefix)", "--tagging=\(tagging)", "--loggable",
        // Places of a straight road stay: it looks for those within a kilometre, whatever lies between them.
        "--prune-none", "--prune-short=5",
        // Less than 3 km that nothing leads to is a yard or a cut-off end: the road beside it is taken.
        "--prune-isolated=3000", extract,
      ], until: Clock.boottime + patience(), most: .max, on: loop
    ) { [unowned self] in
      hear($0)
    } _: {
      outcome = $0
    }
    while outcome == nil {
      guard show("roads", percent) else {
        child = nil
        return nil
      }
      try loop.turn(within: .milliseconds(100))
    }
    return withExtendedLifetime((child, feed)) { outcome }
  }

  /// Far more than it needs: 0.5 s for the 2 MB of Monaco.
  private func patience() -> Duration {
    .seconds(300) + .milliseconds(Int64(File.size(of: file) / 50))
  }

  /// How much is done when a heading comes; measured on Monaco and Korea.
  private static let headings = [
    "Sort OSM Data": 30, "Process OSM Data": 40, "Prune Unneeded Data": 55,
    "Process Super-Data (iteration 0)": 70, "Process Super-Data (iteration 1)": 80,
    "Combine Segments and Super-Segments": 90, "Cross-Reference Nodes and Segments": 94,
    "Write Out Database Files": 98,
  ]

  private func hear(_ bytes: [UInt8]) {
    // No heading is longer than what is kept of a line.
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
        if text.count < 100 { text.append(byte) }
        continue
      }
      percent = max(percent, Self.headings[String(decoding: text, as: UTF8.self)] ?? 0)
      text = []
    }
  }

  private static func complaint(_ outcome: ChildProcess.Outcome) -> String {
    if outcome.end == .late { return "\(program) takes too long" }
    let last = outcome.errors.split(separator: UInt8(ascii: "\n")).last
    let words = String(decoding: last ?? [], as: UTF8.self).plain(atMost: 200)
    return words.isEmpty ? "\(program) does not end well" : "\(program) says '\(words)'"
  }
}
