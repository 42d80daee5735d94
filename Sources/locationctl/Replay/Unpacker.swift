import Console
import Glibc

/// gzip, which unpacks a recording that is packed.
struct Unpacker {
  /// The unpacked recording.
  let output: Int32
  private let pid: pid_t

  /// Nil where the file is not packed. One that comes through a pipe is not looked into.
  init?(_ file: Int32, _ name: String) throws(Failure) {
    var head: [UInt8] = [0, 0]
    guard pread(file, &head, 2, lseek(file, 0, SEEK_CUR)) == 2, head == [0x1F, 0x8B] else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("gzip"), strdup("-dc"), nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawnp(&child, "gzip", &actions, nil, words, environ)
    close(ends[1])
    close(file)
    guard failure == 0 else {
      close(ends[0])
      throw Failure(.failed, "\(name): it is packed, and there is no gzip here to unpack it")
    }
    output = ends[0]
    pid = child
  }

  /// Fails where what came out is not all of it.
  func check(_ name: String) throws(Failure) {
    var status: Int32 = 0
    guard waitpid(pid, &status, 0) == pid, status != 0 else { return }
    throw Failure(.failed, "\(name): it is packed, and damaged")
  }

  /// Nobody wants more of it.
  func end() { waitpid(pid, nil, 0) }
}
