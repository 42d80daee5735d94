import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("Cells of junctions") struct RoadPartitionTests {
  /// Junctions by their places, in hundredths of a millimetre, and roads between them.
  private func draft(
    _ junctions: [(east: Int, north: Int)], _ roads: [(tail: Int, head: Int)]
  ) throws -> RoadDraft {
    var draft = try RoadDraft(in: NSTemporaryDirectory())
    for (east, north) in junctions {
      try draft.junctions.append(
        RoadJunction(
          latitude: Int32(480_000_000 + north), longitude: Int32(100_000_000 + east), ends: 0))
    }
    var kind = RoadKind()
    kind.costs = [7200, 7200, 72_000, 72_000, 24_000, 24_000]
    kind.times = kind.costs
    draft.kinds = [kind]
    for (tail, head) in roads {
      try draft.chains.append(
        RoadChain(
          tail: UInt32(tail), head: UInt32(head), length: 500_000, name: 0, firstPoint: 0, kind: 0))
    }
    return draft
  }

  /// A million in `make soak`.
  private static let count = isSoak ? 1_000_000 : 30_000

  /// Roads from one junction to all sides.
  private func star() throws -> RoadDraft {
    let ends = (0..<Self.count).map { number in
      let angle = Double(number) / Double(Self.count) * 2 * .pi
      return (east: Int(7e5 * cos(angle)), north: Int(4e5 * sin(angle)))
    }
    return try draft([(0, 0)] + ends, (1...Self.count).map { (0, $0) })
  }

  @Test("a town stays whole where a straight line would halve it")
  func towns() throws {
    var (places, roads): ([(east: Int, north: Int)], [(tail: Int, head: Int)]) = ([], [])
    func town(_ columns: Range<Int>) {
      for x in columns {
        for y in 0..<10 {
          if x > columns.lowerBound { roads.append((places.count - 10, places.count)) }
          if y > 0 { roads.append((places.count - 1, places.count)) }
          places.append((x * 1000, y * 1000))
        }
      }
    }
    town(0..<13)
    town(14..<21)
    roads.append((129, 130))
    let draft = try draft(places, roads)
    let partition = try RoadPartition(draft, [40, 150], in: NSTemporaryDirectory())
    #expect(partition.levels[1] == [0, 130, 200])
    #expect(Set(partition.order.buffer[..<130]) == Set(0..<130))
    let starts = partition.levels[0]
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 <= 40 })
    #expect(starts.contains(130) && partition.order.buffer.sorted() == Array(0..<200))
  }

  @Test("all junctions at one place, and no roads at all, are cells too")
  func nowhere() throws {
    let draft = try draft(Array(repeating: (5, 5), count: 1000), [])
    let partition = try RoadPartition(draft, [2, 10], in: NSTemporaryDirectory())
    #expect(partition.order.buffer.sorted() == Array(0..<1000))
    #expect(zip(partition.levels[0], partition.levels[0].dropFirst()).allSatisfy { $1 - $0 <= 2 })
  }

  @Test("a million roads in one junction are cut, and a question there is answered in few steps")
  func starOfRoads() throws {
    let image = try #require(
      try RoadImage.bytes(of: try star(), in: NSTemporaryDirectory(), show: { _ in true }))
    let network = try #require(RoadNetwork(UnsafeRawBufferPointer(image.buffer)))
    #expect(network.junctionCount == Self.count + 1)
    // Beyond what meets anywhere, a road leads into the junction and not out of it.
    #expect((0..<network.junctionCount).allSatisfy { network.leaving($0).count <= 250 })
    var question = DirectionsRequest(
      from: Coordinate(latitude: 48, longitude: 10.069),
      to: Coordinate(latitude: 48.039, longitude: 10))
    question.via = [Coordinate(latitude: 48, longitude: 10)]
    for transport in Transport.allCases {
      question.transport = transport
      var search = DirectionsSearch(network, question)
      var (answer, turns) = (EngineAnswer?.none, 0)
      while answer == nil, turns < 1000 {
        answer = search.advance(5000)
        turns += 1
      }
      #expect(answer == .noWay, "\(turns) turns")
    }
    withExtendedLifetime(image) {}
  }

  @Test("inner points are told by what they add to the one before, however far it is")
  func points() throws {
    let places: [(latitude: Int32, longitude: Int32)] = [
      (0, 0), (63, -64), (64, -65), (8191, 8192), (-8192, 20), (.max, .min), (.min, .max),
      (900_000_000, -1_800_000_000),
    ]
    let bytes = try ScratchArray<UInt8>(in: NSTemporaryDirectory())
    var last = (latitude: Int32(17), longitude: Int32(-4))
    for place in places {
      try bytes.append(RoadPoints.bytes(of: place, after: last))
      last = place
    }
    let table = try #require(RoadTable(bytes.buffer))
    var points = RoadPoints(table, 0..<UInt32(bytes.count), from: (17, -4))
    for place in places {
      let point = points.next()
      #expect(point?.latitude == place.latitude && point?.longitude == place.longitude)
    }
    let end = points.next()
    #expect(end == nil)
    // Bytes that end nowhere end.
    for byte in bytes.buffer.indices { bytes[byte] = 0xFF }
    points = RoadPoints(table, 0..<UInt32(bytes.count), from: (0, 0))
    var count = 0
    while points.next() != nil { count += 1 }
    #expect(count <= bytes.count)
  }
}
