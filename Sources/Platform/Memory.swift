internal import CLinux
internal import Glibc

/// The daemon's heap.
package enum Memory {
  /// One heap for both threads: the other one's would lie idle.
  package static func holdLittle() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Gives free pages of the heap back to the kernel.
  package static func trim() {
    malloc_trim(0)
  }
}
