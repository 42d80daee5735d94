import Glibc

/// The recordings of this project.
package enum Recordings {
  package static let directory = Checkout.path + "/Tests/Recordings/"

  /// The recordings with their result beside them.
  package static let names: [String] = {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".jsonl") { names.append(String(name.dropLast(6))) }
    }
    return names.sorted()
  }()

  package static func bytes(_ file: String) -> [UInt8] {
    let descriptor = open(directory + file, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &block, block.count), count > 0 {
      contents += block[..<count]
    }
    return contents
  }

  /// Ways of a day each, in `Tracks`. A person pressed a button at each departure and arrival: the trips lie beside
  /// them.
  package static let ways = [
    "car-and-bicycle-1", "car-and-bicycle-2", "car-and-bicycle-3", "car-and-bus-1",
    "car-and-bus-2", "train-and-bus",
  ]

  /// The lines of a way.
  package static func way(_ name: String) throws -> [Substring] {
    let unpack = try Child(
      ["gzip", "-dc", directory + "Tracks/\(name).jsonl.gz"], output: .pipe)
    return unpack.text().split(separator: "\n")
  }
}
