import PlaceCore
import Platform

/// The world's ground, `ground.bin` of the base map's folder: nothing of it is read but the tiles that are asked for.
final class WorldGround {
  private let path: String
  private var look: PathIdentity?
  private var file: MappedFile?

  init(path: String) { self.path = path }

  /// A tile's features by its name, `LEVEL/X/Y`: none where there is only sea. Nil where there is no such tile, or no
  /// world.
  func features(_ name: Substring) -> [UInt8]? {
    let numbers = name.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let level = numbers[0], let x = numbers[1], let y = numbers[2],
      (0...GroundTile.highest).contains(level), (0..<1 << level).contains(x),
      (0..<1 << level).contains(y)
    else { return nil }
    refresh()
    guard let pieces = (file?.bytes).flatMap({ NumberedPieces($0) }) else { return nil }
    return pieces[GroundTile(level: level, x: x, y: y).number].map { Array($0) } ?? []
  }

  /// Opens a file that has been installed since.
  private func refresh() {
    let look = PathIdentity(of: path)
    guard look != self.look else { return }
    self.look = look
    file = nil
    guard let open = try? Descriptor(reading: path) else { return }
    file = try? MappedFile(open.number, offset: 0, size: File.size(of: open.number))
  }
}
