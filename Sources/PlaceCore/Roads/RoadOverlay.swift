/// Cells of junctions that lie together, and what it takes to pass each: from every state that enters it to every state
/// that leaves it. Cells of a higher level consist of those of the lower. So a long way is found over few states.
// Unchecked: its bytes are read only.
package struct RoadOverlay: @unchecked Sendable {
  /// The cells of one level and one mode.
  package struct Level {
    let cells: RoadTable<RoadCell>
    /// The cell that holds one of the smallest.
    let homes: RoadTable<UInt32>
    let states: RoadTable<UInt32>
    let costs: RoadTable<RoadCost>

    package init(
      cells: RoadTable<RoadCell>, homes: RoadTable<UInt32>, states: RoadTable<UInt32>,
      costs: RoadTable<RoadCost>
    ) {
      (self.cells, self.homes, self.states, self.costs) = (cells, homes, states, costs)
    }

    @inline(__always)
    func home(of smallest: UInt32) -> UInt32 {
      min(homes[smallest], UInt32(truncatingIfNeeded: cells.count &- 2))
    }
  }

  /// The lowest first.
  package private(set) var levels: [Level]

  package init(levels: [Level]) { self.levels = levels }

  /// The junctions of a cell.
  func junctions(of cell: UInt32, at level: Int) -> Range<UInt32> {
    let cells = levels[level - 1].cells
    let (low, high) = (cells[cell].junctions, cells[cell &+ 1].junctions)
    return low..<max(low, high)
  }
}

/// Junctions are numbered so that those of a cell follow each other.
package struct RoadCell: Equatable, BitwiseCopyable {
  /// Its first junction.
  package var junctions: UInt32
  /// Where its states stand: first those that enter it, in order, then those that leave it.
  package var first: UInt32
  package var entries: UInt32
  /// A row for each entry, a column for each exit.
  package var costs: UInt32

  package init(junctions: UInt32, first: UInt32, entries: UInt32, costs: UInt32) {
    (self.junctions, self.first) = (junctions, first)
    (self.entries, self.costs) = (entries, costs)
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
  /// The number of cells; one more ends the list of the last.
  package var count: UInt32
  package var cells: UInt64
  package var homes: UInt64
  package var states: UInt64
  package var costs: UInt64

  package init(
    mode: UInt32, count: UInt32, cells: UInt64, homes: UInt64, states: UInt64, costs: UInt64
  ) {
    (self.mode, self.count, self.cells, self.homes) = (mode, count, cells, homes)
    (self.states, self.costs) = (states, costs)
  }
}

extension RoadOverlay {
  /// Labels know no more levels.
  private static let mostLevels = 3

  /// The levels of a mode in a file.
  init(_ sections: RoadSections, _ mode: RoadMode) {
    self.init(levels: [])
    guard let all = sections.table(.overlays, of: RoadLevel.self) else { return }
    for number in 0..<min(all.count, 16) where all[number].mode == UInt32(mode.rawValue) {
      let level = all[number]
      guard levels.count < Self.mostLevels, level.count > 0, level.count < 1 << 28,
        let cells = sections.table(
          .overlayCells, of: RoadCell.self, from: level.cells, count: Int(level.count) + 1),
        let homes = sections.table(.overlayHomes, of: UInt32.self, from: level.homes),
        let states = sections.table(.overlayStates, of: UInt32.self, from: level.states),
        let costs = sections.table(.overlayCosts, of: RoadCost.self, from: level.costs)
      else { continue }
      levels.append(Level(cells: cells, homes: homes, states: states, costs: costs))
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
    _ section: RoadSection, of: Record.Type, from first: UInt64 = 0, count: Int? = nil
  ) -> RoadTable<Record>? {
    let bytes = bytes(section)
    let (start, isTooMuch) = first.multipliedReportingOverflow(
      by: UInt64(MemoryLayout<Record>.stride))
    guard !isTooMuch, start < UInt64(bytes.count) else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[Int(start)...])
    guard let count else { return RoadTable(rest) }
    let size = count * MemoryLayout<Record>.stride
    return size > rest.count ? nil : RoadTable(UnsafeRawBufferPointer(rebasing: rest[..<size]))
  }
}
