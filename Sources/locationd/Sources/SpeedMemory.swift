/// The speeds that serial lines last worked at, so that the next search begins there.
final class SpeedMemory {
  private var speeds: [String: Int] = [:]
  private static let most = 64

  subscript(path: String) -> Int? { speeds[path] }

  func remember(_ speed: Int, of path: String) {
    if speeds.count == Self.most, speeds[path] == nil { speeds.removeAll() }
    speeds[path] = speed
  }
}
