/// Cells of junctions that lie together, and what it takes to pass each: from every state that enters it to every state
/// that leaves it. A cell of a higher level is 2^n of the lower. So a long way is found over few states.
package struct RoadOverlay: @unchecked Sendable {
  /// The cells of one level and one mode.
  package struct Level {
    /// The cells are 2^depth.
    let depth: UInt32
    let cells: RoadTable<RoadCell>
    let states: RoadTable<UInt32>
    let costs: RoadTable<RoadCost>

    package init(
      depth: UInt32, cells: RoadTable<RoadCell>, states: RoadTable<UInt32>,
      costs: RoadTable<RoadCost>
    ) {
      (self.depth, self.cells, self.states, self.costs) = (depth, cells, states, costs)
    }
  }

  /// The lowest first.
  package private(set) var levels: [Level]
  private let junctions: UInt64

  package init(levels: [Level], junctions: UInt32) {
    self.levels = levels
    self.junctions = UInt64(max(junctions, 1))
  }

  /// The number of a junction's cell at the lowest level.
  @inline(__always)
  func cell(of junction: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: RoadCell.number(of: junction, depth: levels[0].depth, junctions))
  }

  /// The cell of a higher level that holds one of the lowest.
  @inline(__always)
  func cell(_ lowest: UInt32, at level: Int) -> UInt32 {
    lowest >> ((levels[0].depth &- levels[level - 1].depth) & 31)
  }

  /// The junctions of a cell.
  func junctions(of cell: UInt32, at level: Int) -> Range<UInt32> {
    RoadCell.junctions(of: cell, depth: levels[level - 1].depth, junctions)
  }
}

package struct RoadCell: Equatable, BitwiseCopyable {
  /// Where its states stand: first those that enter it, in order, then those that leave it.
  package var first: UInt32
  package var entries: UInt32
  /// A row for each entry, a column for each exit.
  package var costs: UInt32

  package init(first: UInt32, entries: UInt32, costs: UInt32) {
    (self.first, self.entries, self.costs) = (first, entries, costs)
  }

  /// Junctions are numbered so that those of a cell, and of each half of it, follow each other.
  @inline(__always)
  static func number(of junction: UInt32, depth: UInt32, _ junctions: UInt64) -> UInt64 {
    ((UInt64(junction) + 1) << UInt64(depth & 31) - 1) / junctions
  }

  package static func junctions(
    of cell: UInt32, depth: UInt32, _ junctions: UInt64
  ) -> Range<UInt32> {
    func start(_ cell: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: (cell &* junctions) >> UInt64(depth & 31))
    }
    let (low, high) = (start(UInt64(cell)), start(UInt64(cell) + 1))
    return low..<max(low, high)
  }
}

/// Hundredths of a second, and in the four highest bits what is on the way that one may avoid.
package struct RoadCost: Equatable, BitwiseCopyable {
  package let word: UInt32

  package static let most: UInt32 = 1 << 28 - 1
  package static let none = RoadCost(word: most)

  package init(word: UInt32) { self.word = word }

  @inline(__always)
  init(_ cost: UInt32, _ traits: UInt32) { word = min(cost, Self.most) | traits << 28 }

  @inline(__always) package var cost: UInt32 { word & Self.most }
  @inline(__always) package var traits: UInt32 { word >> 28 }
}

/// A level's entry in the file: where its tables begin, counted in their records.
package struct RoadLevel: Equatable, BitwiseCopyable {
  package var mode: UInt32
  package var depth: UInt32
  package var cells: UInt64
  package var states: UInt64
  package var costs: UInt64

  package init(mode: UInt32, depth: UInt32, cells: UInt64, states: UInt64, costs: UInt64) {
    (self.mode, self.depth, self.cells) = (mode, depth, cells)
    (self.states, self.costs) = (states, costs)
  }
}

extension RoadOverlay {
  /// The levels of a mode in a file.
  init(_ sections: RoadSections, _ mode: RoadMode) {
    let junctions = sections.bytes(.junctions).count / MemoryLayout<RoadJunction>.stride - 1
    self.init(levels: [], junctions: UInt32(clamping: junctions))
    guard let all = sections.table(.overlays, of: RoadLevel.self) else { return }
    for number in 0..<min(all.count, 16) where all[number].mode == UInt32(mode.rawValue) {
      let level = all[number]
      guard level.depth < 25, level.depth <= levels.last?.depth ?? 25,
        let cells = sections.table(.overlayCells, of: RoadCell.self, from: level.cells),
        let states = sections.table(.overlayStates, of: UInt32.self, from: level.states),
        let costs = sections.table(.overlayCosts, of: RoadCost.self, from: level.costs),
        cells.count > 1 << level.depth
      else { continue }
      levels.append(Level(depth: level.depth, cells: cells, states: states, costs: costs))
    }
  }
}

/// The sections of a file's bytes.
struct RoadSections {
  private let bytes: UnsafeRawBufferPointer

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= RoadSection.headerSize,
      bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self) == RoadSection.magic,
      bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == RoadSection.version
    else { return nil }
    self.bytes = bytes
  }

  /// Empty where it is not whole.
  func bytes(_ section: RoadSection) -> UnsafeRawBufferPointer {
    let place = 8 + section.rawValue * 16
    let start = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    let count = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
    guard start % 8 == 0, start <= bytes.count, count <= UInt64(bytes.count) - start else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<Int(start + count)])
  }

  func table<Record: BitwiseCopyable>(
    _ section: RoadSection, of: Record.Type, from first: UInt64 = 0
  ) -> RoadTable<Record>? {
    let bytes = bytes(section)
    let (start, isTooMuch) = first.multipliedReportingOverflow(
      by: UInt64(MemoryLayout<Record>.stride))
    guard !isTooMuch, start < UInt64(bytes.count) else { return nil }
    return RoadTable(UnsafeRawBufferPointer(rebasing: bytes[Int(start)...]))
  }
}
