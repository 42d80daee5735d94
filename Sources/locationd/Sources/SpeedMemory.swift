import Platform

/// The speeds that serial lines last worked at, so that the next search begins there: in a small file of
/// the state folder, where there is one.
final class SpeedMemory {
  private var speeds: [String: Int] = [:]
  private var file: String?

  private static let most = 64
  private static let longest = 16384

  /// Takes in what was kept there. A file that is damaged costs a search, no more.
  func keep(in folder: String) {
    file = "\(folder)/speeds"
    let bytes = (try? File.bytes(of: "\(folder)/speeds", atMost: Self.longest)) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(Self.most) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let speed = Int(parts[0]), Tty.canRun(at: speed) else { continue }
      speeds[String(parts[1])] = speed
    }
  }

  subscript(path: String) -> Int? { speeds[path] }

  func remember(_ speed: Int, of path: String) {
    guard speeds[path] != speed, !path.contains("\n") else { return }
    if speeds.count == Self.most, speeds[path] == nil { speeds.removeAll() }
    speeds[path] = speed
    guard let file else { return }
    let text = speeds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
    // A few bytes, rarely, and nobody waits for the disk: lost, they are found again.
    try? File.write(Array(text.utf8), to: file)
  }
}
