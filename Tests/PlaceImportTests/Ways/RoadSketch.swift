import Foundation
import Geodesy
import LocationModel
import Platform

@testable import PlaceCore
@testable import PlaceImport

/// A map of a few roads, drawn in metres to the east and north of a place. Roads meet where they share a point.
struct RoadSketch {
  typealias Point = (x: Double, y: Double)

  private struct Road {
    var name: String?
    var points: [Point]
    var kind: RoadKind
  }

  static let middle = Coordinate(latitude: 50, longitude: 10)
  private let plane = LocalPlane(around: middle)
  private var roads: [Road] = []

  /// Kilometres an hour of cars; feet and bicycles go 5 and 15.
  mutating func road(
    _ name: String?, _ points: Point..., speed: Double = 50, isOneWay: Bool = false,
    traits: RoadTraits = [], modes: Set<RoadMode> = Set(RoadMode.allCases)
  ) {
    var kind = RoadKind()
    for mode in modes {
      let pace = UInt32(360_000 / (mode == .car ? speed : mode == .foot ? 5 : 15))
      for way in 0..<(isOneWay && mode != .foot ? 1 : 2) {
        kind.costs[mode.rawValue * 2 + way] = pace
        kind.times[mode.rawValue * 2 + way] = pace
      }
    }
    kind.traits = traits
    roads.append(Road(name: name, points: points, kind: kind))
  }

  static func place(_ x: Double, _ y: Double) -> Coordinate {
    LocalPlane(around: middle).place(x, y)
  }

  // MARK: - As the import would have it

  private static func key(_ point: Point) -> [Int] {
    [Int(point.x.rounded()), Int(point.y.rounded())]
  }

  /// Keeps the network's bytes.
  func network() throws -> SketchedRoads {
    let folder = NSTemporaryDirectory()
    let draft = try RoadDraft(in: folder)
    var uses: [[Int]: Int] = [:]
    for road in roads {
      for point in road.points { uses[Self.key(point), default: 0] += 1 }
      for end in [road.points[0], road.points[road.points.count - 1]] {
        uses[Self.key(end), default: 0] += 1
      }
    }
    var junctions: [[Int]: UInt32] = [:]
    func junction(_ point: Point) throws -> UInt32 {
      if let known = junctions[Self.key(point)] { return known }
      let place = plane.place(point.x, point.y)
      try draft.junctions.append(
        RoadJunction(
          latitude: Int32((place.latitude * 1e7).rounded()),
          longitude: Int32((place.longitude * 1e7).rounded()), ends: 0))
      junctions[Self.key(point)] = UInt32(draft.junctions.count - 1)
      return UInt32(draft.junctions.count - 1)
    }
    var kinds: [RoadKind] = []
    for road in roads {
      if !kinds.contains(road.kind) { kinds.append(road.kind) }
      var name: UInt32 = 0
      if let text = road.name {
        name = UInt32(draft.names.count)
        try draft.names.append(Array(text.utf8) + [0])
      }
      var part = [road.points[0]]
      for point in road.points.dropFirst() {
        part.append(point)
        guard uses[Self.key(point)] ?? 0 > 1 else { continue }
        var chain = RoadChain(
          tail: try junction(part[0]), head: try junction(point),
          length: UInt32((Self.length(part) * 10).rounded()), name: name,
          firstPoint: UInt32(draft.points.count / 2),
          kind: UInt32(kinds.firstIndex(of: road.kind) ?? 0))
        chain.bearings = (
          Self.bearing(part[0], part[1]), Self.bearing(part[part.count - 2], point)
        )
        for inner in part.dropFirst().dropLast() {
          let place = plane.place(inner.x, inner.y)
          try draft.points.append(Int32((place.latitude * 1e7).rounded()))
          try draft.points.append(Int32((place.longitude * 1e7).rounded()))
        }
        try draft.chains.append(chain)
        part = [point]
      }
    }
    return try SketchedRoads(draft, kinds, folder)
  }

  private static func length(_ points: [Point]) -> Double {
    zip(points, points.dropFirst()).reduce(0) { $0 + hypot($1.1.x - $1.0.x, $1.1.y - $1.0.y) }
  }

  private static func bearing(_ from: Point, _ to: Point) -> UInt8 {
    let turns = atan2(to.x - from.x, to.y - from.y) / (2 * .pi)
    return UInt8(truncatingIfNeeded: Int((turns * 256).rounded()))
  }
}

/// The roads of a sketch.
final class SketchedRoads {
  private let bytes: ScratchArray<UInt8>
  let network: RoadNetwork

  fileprivate init(_ draft: RoadDraft, _ kinds: [RoadKind], _ folder: String) throws {
    var draft = draft
    draft.kinds = kinds
    guard let bytes = try RoadImage.bytes(of: draft, in: folder, show: { _ in true }),
      let network = RoadNetwork(UnsafeRawBufferPointer(bytes.buffer))
    else { throw CocoaError(.fileReadCorruptFile) }
    (self.bytes, self.network) = (bytes, network)
  }

  /// The answer to a question, in as many steps as it takes.
  func answer(_ question: DirectionsRequest) -> EngineAnswer {
    var search = DirectionsSearch(network, question)
    while true {
      if let answer = search.advance(100) { return answer }
    }
  }

  func ways(_ question: DirectionsRequest) -> [Way] {
    if case .ways(let ways) = answer(question) { ways } else { [] }
  }
}

/// A question between two points of a sketch.
func asking(
  _ from: RoadSketch.Point, _ to: RoadSketch.Point, _ transport: Transport = .automobile
) -> DirectionsRequest {
  var question = DirectionsRequest(
    from: RoadSketch.place(from.x, from.y), to: RoadSketch.place(to.x, to.y))
  question.transport = transport
  return question
}
