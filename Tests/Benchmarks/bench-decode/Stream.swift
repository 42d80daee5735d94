import Glibc

/// The recordings of a directory one after the other, again and again.
struct Stream: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer

  init(recordingsIn directory: String, endingWith ending: String) {
    let all = Self.recordings(in: directory, ending)
    let whole = all.isEmpty ? 0 : (Main.size + all.count - 1) / all.count
    bytes = .allocate(byteCount: all.count * whole, alignment: 64)
    for i in 0..<whole {
      UnsafeMutableRawBufferPointer(rebasing: bytes[(i * all.count)...]).copyBytes(from: all)
    }
  }

  deinit { bytes.deallocate() }

  var count: Int { bytes.count }

  /// Megabytes a second.
  func speed(_ body: (UnsafeRawBufferPointer) -> Void) -> Double {
    let clock = ContinuousClock()
    let time = clock.measure { body(UnsafeRawBufferPointer(bytes)) } / .seconds(1)
    return Double(bytes.count) / time / 1e6
  }

  private static func recordings(in directory: String, _ ending: String) -> [UInt8] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append(name) }
    }
    return names.sorted().flatMap { contents(of: directory + "/" + $0) }
  }

  private static func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &block, block.count), count > 0 {
      contents += block[..<count]
    }
    return contents
  }
}
