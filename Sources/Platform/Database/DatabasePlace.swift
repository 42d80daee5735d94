internal import Glibc

/// Where a database lies: a folder that nobody else may write to, and the files in it. Neither is reached
/// through a link, nor are modes of files changed that are not ours.
struct DatabasePlace {
  let path: String
  private let folder: String

  /// SQLite's files beside its own.
  private static let companions = ["-wal", "-journal", "-shm"]

  /// Makes the folder, for nobody else to read, if it is missing.
  init(_ path: String) throws(DatabaseError) {
    let (above, name) = Self.split(path)
    folder = try Self.resolved(above)
    self.path = (folder == "/" ? "" : folder) + "/" + name
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      let number = errno
      // One that is there counts, whatever the system says of making it.
      if Self.status(folder) == nil {
        throw DatabaseError(SystemError("its folder cannot be made", number))
      }
    }
    guard let status = Self.status(folder) else { throw DatabaseError(SystemError("its folder")) }
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw .failed("its folder is a link, and links are not followed")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .failed("its folder is none") }
    guard Self.isOurs(status) else {
      throw .failed("its folder belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .failed(
        "others may write to its folder (mode \(String(status.st_mode & 0o7777, radix: 8)))")
    }
  }

  /// Makes the file if it is missing, and leaves none of them for others to read.
  func claim() throws(DatabaseError) {
    for file in [path] + Self.companions.map({ path + $0 }) {
      if let status = Self.status(file) { try claim(file, status) }
    }
    guard Self.status(path) == nil else { return try checkMayWrite() }
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DatabaseError(SystemError("it cannot be made")) }
    close(file)
  }

  private func claim(_ file: String, _ status: stat) throws(DatabaseError) {
    let name = file == path ? "it" : Self.split(file).name
    guard status.st_mode & S_IFMT != S_IFLNK else {
      throw .failed("\(name) is a link, and links are not followed")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .failed("\(name) is no file") }
    guard Self.isOurs(status) else {
      throw .failed("\(name) belongs to another user (uid \(status.st_uid))")
    }
    guard status.st_nlink == 1 else { throw .failed("\(name) has another name elsewhere") }
    if status.st_mode & 0o077 != 0 { chmod(file, 0o600) }
  }

  private func checkMayWrite() throws(DatabaseError) {
    guard access(path, W_OK) != 0 || access(folder, W_OK | X_OK) != 0 else { return }
    let number = errno
    guard number == EROFS || number == EACCES || number == EPERM, access(path, R_OK) == 0 else {
      throw DatabaseError(SystemError("it cannot be opened", number))
    }
    throw .readOnly
  }

  /// The folder with the links above it followed, but not at its own end.
  private static func resolved(_ folder: String) throws(DatabaseError) -> String {
    let (above, name) = split(folder)
    let isWhole = ["", ".", ".."].contains(name)
    guard let text = realpath(isWhole ? folder : above, nil) else {
      throw DatabaseError(SystemError("the way to its folder"))
    }
    defer { free(text) }
    let real = String(cString: text)
    return isWhole ? real : (real == "/" ? "" : real) + "/" + name
  }

  private static func split(_ path: String) -> (above: String, name: String) {
    let end = path.lastIndex { $0 != "/" }.map(path.index(after:)) ?? path.startIndex
    guard let slash = path[..<end].lastIndex(of: "/") else {
      return (end == path.startIndex ? "/" : ".", String(path[..<end]))
    }
    let above = String(path[..<slash])
    return (above.isEmpty ? "/" : above, String(path[path.index(after: slash)..<end]))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  /// Root could do all that we could, and more.
  private static func isOurs(_ status: stat) -> Bool {
    status.st_uid == geteuid() || status.st_uid == 0
  }
}

// MARK: - Files that go while they are open

extension DatabasePlace {
  /// The files at the names of the database and of its log now.
  struct Files: Equatable {
    fileprivate var database: [UInt64]?
    fileprivate var log: [UInt64]?

    /// Nothing stands where `opened` stood.
    func areGone(since opened: Files) -> Bool {
      let isGone = database == nil || log == nil && opened.log != nil
      return isGone && !areReplaced(since: opened)
    }

    /// Others stand there.
    func areReplaced(since opened: Files) -> Bool {
      database != nil && database != opened.database || log != nil && log != opened.log
    }
  }

  var files: Files {
    func number(_ file: String) -> [UInt64]? {
      Self.status(file).map { [UInt64($0.st_dev), UInt64($0.st_ino)] }
    }
    return Files(database: number(path), log: number(path + "-wal"))
  }

  /// Has a whole copy made under another name, and puts it where the database was once it is on the disk.
  func replace(_ copy: (_ path: String) throws(DatabaseError) -> Void) throws(DatabaseError) {
    let other = path + "-new"
    unlink(other)
    let file = open(other, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DatabaseError(SystemError("it cannot be made anew")) }
    defer {
      close(file)
      unlink(other)
    }
    try copy(other)
    guard fsync(file) == 0 else { throw DatabaseError(SystemError("it cannot be made anew")) }
    // The copy has what stands in the log, which would spoil it.
    unlink(path + "-wal")
    guard rename(other, path) == 0 else {
      throw DatabaseError(SystemError("it cannot be made anew"))
    }
    Folder.sync(folder)
  }
}
