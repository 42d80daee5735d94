internal import CLinux
internal import Glibc

/// Small files, read whole.
package enum File {
  /// A longer file is cut off.
  package static func bytes(of path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    try bytes(of: Descriptor(reading: path), path, atMost: limit)
  }

  /// The rest of a file.
  static func bytes(
    of file: borrowing Descriptor, _ name: String, atMost limit: Int
  ) throws(SystemError) -> [UInt8] {
    let number = file.number
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        switch Transfer(read(number, rest.baseAddress, rest.count)) {
        case .bytes(let more): count += more
        case .ended: return
        case .wouldBlock:
          failure = EAGAIN
          return
        case .failed(let number):
          failure = number
          return
        }
      }
    }
    if let failure { throw SystemError(name, failure) }
    return bytes
  }

  /// In place of what was there, for ourselves alone.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw SystemError(path) }
    let file = Descriptor(owning: number)
    guard Glibc.write(file.number, bytes, bytes.count) == bytes.count else {
      throw SystemError(path)
    }
  }

  /// The same, whole or not at all, and on the disk.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let new = path + ".new"
    try write(bytes, to: new)
    let file = try Descriptor(reading: new)
    guard fsync(file.number) == 0 else { throw SystemError(new) }
    try rename(new, to: path)
    Folder.sync(FolderWatch.folder(of: path))
  }

  package static func rename(_ path: String, to other: String) throws(SystemError) {
    guard Glibc.rename(path, other) == 0 else { throw SystemError(path) }
  }

  package static func remove(_ path: String) { unlink(path) }

  /// From the root of the file system, whatever the folder is.
  package static func wholePath(_ path: String) throws(SystemError) -> String {
    guard let found = realpath(path, nil) else { throw SystemError(path) }
    defer { free(found) }
    return String(cString: found)
  }

  /// Bytes of an open file.
  package static func size(of file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  /// A copy for ourselves alone, in place of what was there; its last bytes may be left out.
  static func copy(_ path: String, to other: String, without last: Int = 0) throws(SystemError) {
    let source = try Descriptor(reading: path)
    let number = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw SystemError(other) }
    let target = Descriptor(owning: number)
    var status = stat()
    guard fstat(source.number, &status) == 0 else { throw SystemError(path) }
    var rest = max(Int(status.st_size) - last, 0)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while rest > 0 {
      let count = read(source.number, &buffer, min(buffer.count, rest))
      guard count > 0 else { throw SystemError(path) }
      guard Glibc.write(target.number, buffer, count) == count else { throw SystemError(other) }
      rest -= count
    }
  }

  package static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// In no order.
  package static func names(in folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) { names.append(String(cString: linux_name(entry))) }
    return names
  }

  /// The paths in a folder whose names fit a shell's pattern, in order.
  package static func paths(like pattern: String) -> [String] {
    let folder = FolderWatch.folder(of: pattern)
    let all = ((try? names(in: folder)) ?? []).map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }
    return all.filter { fnmatch(pattern, $0, FNM_PATHNAME | FNM_PERIOD) == 0 }.sorted()
  }

  /// The configuration files of those folders that are there, in the order of their names' bytes, which
  /// hangs on no language. The last folder's file replaces those of the same name.
  package static func dropIns(in folders: [String]) -> (paths: [String], troubles: [SystemError]) {
    var paths: [String: String] = [:]
    var troubles: [SystemError] = []
    for folder in folders {
      do throws(SystemError) {
        for name in try names(in: folder) where name.hasSuffix(".conf") && !name.hasPrefix(".") {
          paths[name] = "\(folder)/\(name)"
        }
      } catch {
        if !error.isNotFound { troubles.append(error) }
      }
    }
    let names = paths.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (names.compactMap { paths[$0] }, troubles)
  }

  package static func target(ofLink path: String) -> String? {
    FolderWatch.target(ofLink: path)
  }

  /// The last name of what a link leads to.
  package static func lastOfLink(_ path: String) -> String? {
    target(ofLink: path)?.split(separator: "/").last.map(String.init)
  }

  /// Whether it is there to be written, or can be made.
  package static func canMakeFolder(_ path: String) -> Bool {
    if access(path, W_OK | X_OK) == 0 { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/") else { return false }
    return access(slash == path.startIndex ? "/" : String(path[..<slash]), W_OK | X_OK) == 0
  }
}
