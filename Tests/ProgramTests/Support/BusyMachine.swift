import Glibc

/// How much later than alone a program may be done, where other work runs beside it.
enum BusyMachine {
  /// Programs of each core that want to run, at least 1. Processor time does not grow so.
  static var load: Double {
    var load = 0.0
    getloadavg(&load, 1)
    return max(1, load / Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
}
