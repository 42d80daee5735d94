import Foundation
import Glibc
import PlaceImport
import Testing

@testable import build_places

/// A slice of what `make fuzz` does for hours: whatever bytes come, no decoder crashes, traps or hangs.
@Suite("Foreign bytes") struct FuzzTests {
  private static let folder = "\(#filePath)".dropLast("FuzzTests/FuzzTests.swift".count)

  private static let recordings = Recordings { name, most in
    let file = open(folder + "Recordings/" + name, O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: most)
    return Array(bytes.prefix(max(0, read(file, &bytes, most))))
  }

  private static let decoders = Decoder.all(recordings: recordings)

  @Test("what is right is decoded, and so is what was made of it", arguments: decoders.map(\.name))
  func decodes(name: String) throws {
    let decoder = try #require(Self.decoders.first { $0.name == name })
    #expect(decoder.seeds.allSatisfy { $0.count > 1 }, "a recording is missing")
    for seed in decoder.seeds { decoder.decode(seed) }
    var mutations = Mutations(of: decoder, seed: 18)
    for _ in 0..<Self.inputs { decoder.decode(mutations.next()) }
  }

  private static let inputs = 40
}

@Suite("Extracts as nobody writes them") struct ExtractBytesTests {
  @Test("one that is whole is read, and a tag with a NUL byte in it is an error")
  func tags() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nul-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func importing(_ block: [UInt8]) throws -> (String, [String]) {
      let file = folder.appending(path: "a.osm.pbf").path
      try Data(ExtractBytes.file(block)).write(to: URL(filePath: file))
      var phases: [String] = []
      let job = try ImportJob(
        file: file, folder: folder.path, report: { phase, _ in phases.append(phase) },
        isCancelled: { phases.last == "roads" })
      let failure = #expect(throws: ImportJob.Failure.self) { try job.run() }
      return (failure?.description ?? "", phases)
    }
    let whole = try importing(ExtractBytes.block())
    #expect(whole.0 == "The import is cancelled." && whole.1.contains("words"))
    for key in ["addr:housen\0mber", "name\0", "\0", "name\0\0\0"] {
      let (said, phases) = try importing(ExtractBytes.block(key))
      #expect(said.contains("NUL byte") && phases.last != "roads", "\(said)")
    }
  }
}

@Suite("Geometry and catalogues that build-places reads") struct GeometryTests {
  @Test("many polygons in many polygons are none, however deep they lie")
  func deep() {
    let head: [UInt8] = [1, 6, 0, 0, 0, 1, 0, 0, 0]
    var reader = WKBReader((0..<1_000_000).flatMap { _ in head })
    #expect(reader.shape() == nil)
  }

  @Test("a catalogue says no more entries than it has bytes for")
  func catalogue() {
    let head: [UInt8] = [0xDE, 0x12, 0x04, 0x95, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(Catalogue.entries(head + [UInt8](repeating: 0, count: 16)).isEmpty)
  }
}

/// Inputs made of a decoder's seeds and words, the same each time.
struct Mutations {
  private let decoder: Decoder
  private var state: UInt64

  init(of decoder: Decoder, seed: UInt64) {
    self.decoder = decoder
    state = seed
  }

  mutating func next() -> [UInt8] {
    var input = decoder.seeds[below(decoder.seeds.count)]
    for _ in 0...below(4) { change(&input) }
    return input
  }

  private mutating func change(_ input: inout [UInt8]) {
    guard input.count > 1 else { return }
    let at = 1 + below(input.count - 1)
    let end = min(at + below(30), input.count)
    switch below(8) {
    case 0: input[at] ^= 1 << UInt8(below(8))
    case 1: input[0] = UInt8(below(256))
    case 2: input.removeSubrange(at..<end)
    case 3: input.insert(contentsOf: input[at..<end], at: at)
    case 4:
      let other = decoder.seeds[below(decoder.seeds.count)]
      input.replaceSubrange(at..., with: other.dropFirst(at))
    case 5: input.insert(contentsOf: word(), at: at)
    default:
      // In the place of a number or a word.
      let first = input[at...].firstIndex(where: isOfWord) ?? at
      let last = input[first...].firstIndex { !isOfWord($0) } ?? input.endIndex
      input.replaceSubrange(first..<last, with: word())
    }
  }

  private mutating func word() -> [UInt8] {
    let words = below(2) == 0 ? Decoder.extremes : decoder.words
    return Array(words[below(words.count)].utf8)
  }

  private func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
