internal import Glibc
internal import LocationModel
internal import Platform

/// The modes of the program that import an extract and take it away. The process is theirs alone: it ends
/// with them.
package enum ImportCommand {
  /// Tells the progress a line on standard output: `{"phase":"ways","percent":42}`. SIGINT and SIGTERM cancel.
  /// The result is the exit status.
  package static func run(
    importing file: String, into folder: String, isUpdate: Bool = false
  ) -> Int32 {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    // They wait, for libosmium's threads too, until the job asks for them.
    sigprocmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // What SQLite sorts lies on the disk that the result is for, in files without a name; /tmp may be memory.
    setenv("SQLITE_TMPDIR", folder, 1)
    return conclude { () throws(ImportJob.Failure) in
      // The file is open from here on: root's own can be imported, too.
      let job = try ImportJob(
        file: file, folder: folder, isUpdate: isUpdate,
        report: { write("{\"phase\":\"\($0)\",\"percent\":\($1)}", to: 1) },
        tell: { write($0, to: 1) },
        isCancelled: {
          var pending = sigset_t()
          sigpending(&pending)
          return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
        })
      try becomeOwner(of: folder, importing: job.name)
      try job.run()
    }
  }

  package static func run(removing name: String, from folder: String) -> Int32 {
    conclude { () throws(ImportJob.Failure) in
      try becomeOwner(of: folder, importing: name)
      try ImportJob.remove(name, folder: folder)
    }
  }

  private static func becomeOwner(
    of folder: String, importing name: String
  ) throws(ImportJob.Failure) {
    guard let owner = FolderOwner(of: folder) else { return }
    owner.take(ImportJob.folders(of: name), in: folder)
    do throws(SystemError) { try owner.become() } catch {
      throw ImportJob.Failure(description: "\(error).")
    }
  }

  private static func conclude(_ body: () throws(ImportJob.Failure) -> Void) -> Int32 {
    do throws(ImportJob.Failure) {
      try body()
      return 0
    } catch {
      write(error.description, to: 2)
      return 1
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    let bytes = Array((text + "\n").utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}
