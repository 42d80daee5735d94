import Glibc

/// How much slower than alone a program may be, where other work runs beside it.
enum BusyMachine {
  /// Programs of each core that want to run, at least 1. Processor time grows with them, too: they share caches, and
  /// the cores of many machines are halves of one.
  static var load: Double {
    var load = 0.0
    getloadavg(&load, 1)
    return max(1, load / Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
