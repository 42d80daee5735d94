internal import CLinux
internal import Glibc

/// Tells that something has come, gone or changed in some folders.
package final class FolderWatch {
  private let descriptor: Descriptor
  private var watch: EventLoop.Watch?
  private var watched: [String: Int32] = [:]
  private let changed: () -> Void

  package init(on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard number >= 0 else { throw SystemError("cannot watch folders") }
    descriptor = Descriptor(owning: number)
    self.changed = changed
    watch = try EventLoop.Watch(descriptor, for: .read, on: loop) { [unowned self] _ in notify() }
  }

  /// Folders from now on. One that cannot be watched is left out.
  package func watch(_ folders: Set<String>) {
    for (folder, number) in watched where !folders.contains(folder) {
      inotify_rm_watch(descriptor.number, number)
      watched[folder] = nil
    }
    let kinds = UInt32(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF | IN_ONLYDIR)
    for folder in folders {
      // A folder that went and came again is another one, and is watched anew.
      let number = inotify_add_watch(descriptor.number, folder, kinds)
      watched[folder] = number >= 0 ? number : nil
    }
  }

  /// The kind of change does not matter: the owner looks for itself.
  private func notify() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      _ = descriptor.read(into: buffer)
    }
    changed()
  }

  /// The folders in which a change can make a path lead elsewhere, through links too.
  package static func folders(leadingTo path: String) -> Set<String> {
    var folders: Set<String> = []
    var path = path
    for _ in 0..<8 {
      var folder = Self.folder(of: path)
      while folder != "/", access(folder, F_OK) != 0 { folder = Self.folder(of: folder) }
      folders.insert(folder)
      guard let target = Self.target(ofLink: path) else { break }
      path = target.hasPrefix("/") ? target : Self.folder(of: path) + "/" + target
    }
    return folders
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  static func target(ofLink path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0 else { return nil }
      return String(
        validating: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
