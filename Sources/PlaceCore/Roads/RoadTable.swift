/// Records of one kind that lie one after the other in a file. An index past the end is taken for the last: a damaged
/// file gives nonsense, never a fault.
package struct RoadTable<Record: BitwiseCopyable> {
  private let start: UnsafePointer<Record>
  private let last: UInt

  /// Nil where there is none.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count >= MemoryLayout<Record>.stride else {
      return nil
    }
    let count = bytes.count / MemoryLayout<Record>.stride
    start = base.bindMemory(to: Record.self, capacity: count)
    last = UInt(count - 1)
  }

  package init?(_ records: UnsafeMutableBufferPointer<Record>) {
    self.init(UnsafeRawBufferPointer(records))
  }

  package var count: Int { Int(last) + 1 }

  package subscript(index: UInt32) -> Record { start[Int(min(UInt(index), last))] }
  /// So many from an index on, as far as there are.
  @inline(__always)
  func row(from index: UInt32, count: UInt32) -> UnsafeBufferPointer<Record> {
    let first = min(UInt(index), last)
    return UnsafeBufferPointer(
      start: start + Int(first), count: Int(min(UInt(count), last - first + 1)))
  }

  package subscript(index: Int) -> Record { start[Int(min(UInt(bitPattern: index), last))] }
}

/// The parts of the roads' bytes, in their order. Each has at least one record.
package enum RoadSection: Int, CaseIterable, Sendable {
  /// All junctions, and one more that ends the list of the last.
  case junctions
  /// Arcs, by the junction that they leave.
  case ends
  /// All chains, and one more that ends the points of the last.
  case chains
  /// Latitude and longitude of inner points, as `RoadPoints` has them.
  case points
  case kinds
  case names
  case exceptions, bicycleExceptions
  /// The arcs of the copies.
  case copies
  case gridKeys, gridStarts, gridChains
  /// Levels of overlays: mode, and the places of their tables.
  case overlays
  case overlayCells, overlayHomes, overlayStates, overlayCosts

  package static let magic: UInt32 = 0x6461_6F72
  package static let version: UInt32 = 2
  /// Magic, version, then where each section begins and how many bytes it has.
  package static let headerSize = 8 + allCases.count * 16
}
