import Glibc
import LocationModel
import PlaceCore
import Platform

@testable import PlaceImport

extension Decoder {
  /// The roads of an extract's file, as a disk may damage them.
  static var roads: Decoder {
    Decoder(
      name: "roads", words: ["\0\0\0\0", "\u{7F}", "\u{1}\0\0\0", "\0\0\0\u{10}"],
      seeds: [map(overlaid: false), map(overlaid: true)].compactMap { try? $0.get() }
    ) { input in
      // Aligned, as a mapped file is.
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 16)
      defer { bytes.deallocate() }
      bytes.copyBytes(from: input)
      guard let network = RoadNetwork(UnsafeRawBufferPointer(bytes)) else { return }
      // Questions name places on the Earth.
      let places = [network.place(0), network.place(network.junctionCount - 1)].map {
        $0.isValid ? $0 : Coordinate(latitude: 50, longitude: 8)
      }
      var question = DirectionsRequest(from: places[0], to: places[1])
      question.alternates = true
      for transport in Transport.allCases {
        question.transport = transport
        var search = DirectionsSearch(network, question)
        var turns = 0
        while search.advance(100) == nil, turns < 20 { turns += 1 }
      }
    }
  }

  /// A square of streets with a restriction that passes over one of them.
  private static func map(overlaid: Bool) -> Result<[UInt8], SystemError> {
    Result { () throws(SystemError) in
      var draft = try RoadDraft(in: "/tmp")
      for (north, east) in [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1)] as [(Int32, Int32)] {
        try draft.junctions.append(
          RoadJunction(
            latitude: 500_000_000 + north * 20_000, longitude: 80_000_000 + east * 20_000, ends: 0))
      }
      var kind = RoadKind()
      (kind.costs, kind.times) = ([7200, 7200, 72_000, 72_000, 24_000, 24_000], [])
      kind.times = kind.costs
      draft.kinds = [kind]
      for (tail, head) in [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 2)] {
        try draft.chains.append(
          RoadChain(
            tail: UInt32(tail), head: UInt32(head), length: 3000, name: 0, firstPoint: 0, kind: 0))
      }
      draft.turns = [.car: [[0, 2], [0, 3, 4], [6, 0, 2]], .bicycle: [[6, 0, 2]]]
      let sizes = RoadOverlays.Sizes(fewest: overlaid ? 1 : 100, cells: [2, 4], lowest: (0, 0))
      let image = try RoadImage.bytes(of: draft, sizes, in: "/tmp") { _ in true }
      return image.map { Array($0.buffer) } ?? []
    }
  }
}
