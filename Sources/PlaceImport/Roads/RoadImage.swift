internal import PlaceCore
internal import Platform

/// The bytes of an extract's roads, made of a draft: `RoadNetwork` reads them.
struct RoadImage {
  private let folder: String
  private let show: (_ percent: Int) -> Bool
  private let sizes: RoadOverlays.Sizes
  /// Where the cells of each level of the overlay begin.
  private var cells: [[UInt32]] = []
  private let bytes: ScratchArray<UInt8>
  private var sections = [(start: UInt64, count: UInt64)](
    repeating: (0, 0), count: RoadSection.allCases.count)

  /// Nil where the work is cancelled, which `show` says.
  static func bytes(
    of draft: RoadDraft, _ sizes: RoadOverlays.Sizes = .usual, in folder: String,
    show: @escaping (_ percent: Int) -> Bool
  ) throws(SystemError) -> ScratchArray<UInt8>? {
    var image = try RoadImage(folder, sizes, show)
    guard show(0) else { return nil }
    try image.addTables(draft)
    guard show(20), try image.addOverlays() else { return nil }
    return image.bytes
  }

  private init(
    _ folder: String, _ sizes: RoadOverlays.Sizes, _ show: @escaping (_ percent: Int) -> Bool
  ) throws(SystemError) {
    (self.folder, self.sizes, self.show) = (folder, sizes, show)
    bytes = try ScratchArray(in: folder)
    try bytes.resize(RoadSection.headerSize)
  }

  private mutating func addTables(_ draft: RoadDraft) throws(SystemError) {
    let tables = try RoadTables(draft, sizes.levels(draft.junctions.count), in: folder)
    cells = tables.cells
    try add(.junctions, tables.junctions.buffer)
    try add(.ends, tables.ends.buffer)
    try add(.chains, tables.chains.buffer)
    try add(.points, tables.points.buffer)
    try add(.kinds, tables.kinds)
    try add(.names, draft.names.buffer)
    for (section, mode) in [(RoadSection.exceptions, RoadMode.car), (.bicycleExceptions, .bicycle)]
    {
      try add(section, (tables.exceptions[mode] ?? []) + [RoadTables.noException])
    }
    try add(.copies, tables.copies + [0])
    for section in [RoadSection.gridKeys, .gridStarts, .gridChains] { try add(section, [0]) }
    let network = network
    guard let network else { return }
    let chains = tables.chains.buffer
    for mode in RoadMode.allCases {
      let islands = try RoadIslands(network, mode, in: folder)
      for chain in 0..<network.chainCount where islands.holds(chain) {
        chains[Int(chain)].islands |= 1 << UInt8(mode.rawValue)
      }
    }
    try replace(.chains, chains)
    let grid = try RoadGrid(network, in: folder)
    try add(.gridKeys, grid.keys.buffer)
    try add(.gridStarts, grid.starts.buffer)
    try add(.gridChains, grid.chains.buffer)
  }

  /// As far as it is made.
  private var network: RoadNetwork? { RoadNetwork(UnsafeRawBufferPointer(bytes.buffer)) }

  private mutating func addOverlays() throws(SystemError) -> Bool {
    guard let network, let overlays = try RoadOverlays(of: network, cells, sizes, in: folder, show)
    else {
      return network == nil
    }
    try add(.overlays, overlays.levels)
    try add(.overlayCells, overlays.cells.buffer)
    try add(.overlayHomes, overlays.homes.buffer)
    try add(.overlayStates, overlays.states.buffer)
    try add(.overlayCosts, overlays.costs.buffer)
    return true
  }
}

// MARK: - Sections

extension RoadImage {
  private mutating func add<Record: BitwiseCopyable>(
    _ section: RoadSection, _ records: UnsafeMutableBufferPointer<Record>
  ) throws(SystemError) {
    let start = (bytes.count + 7) / 8 * 8
    let size = records.count * MemoryLayout<Record>.stride
    try bytes.resize(start + size)
    put(UnsafeRawBufferPointer(records), at: start)
    sections[section.rawValue] = (UInt64(start), UInt64(size))
    seal()
  }

  private mutating func add<Record: BitwiseCopyable>(
    _ section: RoadSection, _ records: [Record]
  ) throws(SystemError) {
    let copy = try ScratchArray<Record>(in: folder)
    try copy.append(records)
    try add(section, copy.buffer)
  }

  /// In place of as many.
  private func replace<Record: BitwiseCopyable>(
    _ section: RoadSection, _ records: UnsafeMutableBufferPointer<Record>
  ) throws(SystemError) {
    put(UnsafeRawBufferPointer(records), at: Int(sections[section.rawValue].start))
  }

  private func put(_ records: UnsafeRawBufferPointer, at start: Int) {
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes.buffer)[start...])
      .copyMemory(from: records)
  }

  /// Says where the sections are.
  private func seal() {
    var words: [UInt64] = [UInt64(RoadSection.version) << 32 | UInt64(RoadSection.magic)]
    for section in sections { words += [section.start, section.count] }
    words.withUnsafeBytes { put($0, at: 0) }
  }
}
