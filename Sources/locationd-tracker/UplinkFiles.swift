import Console
import Glibc
import LocationModel
import Platform
import TrackCore

/// A file that the configuration names.
struct NamedFile {
  let key: String
  let path: String

  /// The reason why the file cannot be read; nil where it can.
  var fault: String? {
    do throws(SystemError) {
      _ = try File.bytes(of: path, atMost: 1)
      return nil
    } catch {
      if error.isNotFound { return "\(key)=: there is no \(path)" }
      guard error.number == EACCES else { return "\(key)=: \(error)" }
      let uid = geteuid()
      return "\(key)=: \(UserNames().name(of: uid)) (uid \(uid)) may not read \(path)"
    }
  }
}

extension Configuration {
  /// Opened as the tracker's user, where root asks.
  func unusableFiles() -> [ConfigurationMistake] {
    if geteuid() == 0, let user = Accounts().uid(of: Self.user) { become(user) }
    return uplinks.flatMap { uplink in
      uplink.files.compactMap { file in
        file.fault.map { ConfigurationMistake(file: "[Uplink \(uplink.name)]", what: $0) }
      }
    }
  }

  private static let user = "locationd-tracker"

  /// Becomes the user for good: the program only checks.
  private func become(_ user: UInt32) {
    guard let entry = getpwuid(user) else { return }
    _ =
      initgroups(entry.pointee.pw_name, entry.pointee.pw_gid) == 0
      && setgid(entry.pointee.pw_gid) == 0 && setuid(user) == 0
  }
}

extension UplinkPlan {
  var files: [NamedFile] {
    let named = [
      ("Password", password), ("Token", token), ("CA", authority), ("Certificate", certificate),
      ("Key", key),
    ]
    return named.compactMap { key, path in path.map { NamedFile(key: key, path: $0) } }
  }
}
