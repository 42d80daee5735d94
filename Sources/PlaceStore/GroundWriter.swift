package import PlaceCore
package import Platform

/// Puts the features of the ground in the order of their tiles: an extract's or the world's. What comes of a country lies
/// in files.
package final class GroundWriter {
  private struct Piece: BitwiseCopyable {
    var tile: UInt64
    var kind: UInt8
    var offset: Int
    var size: Int
  }

  private let folder: String
  private let pieces: ScratchArray<Piece>
  private let features: ScratchArray<UInt8>

  /// `folder`: where its files lie, without names.
  package init(in folder: String) throws(SystemError) {
    self.folder = folder
    pieces = try ScratchArray(in: folder)
    features = try ScratchArray(in: folder)
  }

  package var isEmpty: Bool { pieces.count == 0 }

  package func add(_ feature: GroundFeature, to tile: GroundTile) throws(SystemError) {
    let bytes = feature.bytes
    try pieces.append(
      Piece(
        tile: tile.number, kind: feature.kind.rawValue, offset: features.count, size: bytes.count))
    try features.append(bytes)
  }

  /// All tiles of a level that have a feature so far.
  package func tiles(at level: Int) -> Set<GroundTile> {
    Set(pieces.buffer.lazy.map { GroundTile(number: $0.tile) }.filter { $0.level == level })
  }

  /// The bytes of all tiles, as `NumberedPieces` reads them: in each the features in the order in which they are
  /// drawn.
  package func finish() throws(SystemError) -> ScratchArray<UInt8> {
    var pieces = pieces.buffer
    pieces.sort { ($0.tile, $0.kind, $0.offset) < ($1.tile, $1.kind, $1.offset) }
    let entries = try ScratchArray<NumberedPieces.Entry>(in: folder)
    var end = 0
    for piece in pieces {
      if let last = entries.buffer.last, last.number == piece.tile {
        entries[entries.count - 1].size += piece.size
      } else {
        try entries.append(.init(number: piece.tile, offset: end, size: piece.size))
      }
      end += piece.size
    }
    let bytes = try ScratchArray<UInt8>(in: folder)
    try bytes.append(NumberedPieces.table(of: entries.buffer))
    try bytes.reserve(bytes.count + end)
    for piece in pieces {
      try bytes.append(features.buffer[piece.offset..<piece.offset + piece.size])
    }
    return bytes
  }
}
