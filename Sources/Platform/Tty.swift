internal import Glibc

/// A serial line taken for ourselves, as it was before when let go of. A device that is no tty, such
/// as `/dev/gnss0`, is only read.
package final class Tty {
  package let descriptor: Descriptor
  private var before: termios?
  /// In baud; nil where it has none that is known.
  package private(set) var speed: Int?

  /// The speeds that a line can have.
  private static let speeds: [Int: speed_t] = [
    1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
    19200: speed_t(B19200), 38400: speed_t(B38400), 57600: speed_t(B57600),
    115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
    921_600: speed_t(B921600),
  ]

  package static func canRun(at speed: Int) -> Bool { speeds[speed] != nil }

  /// Without a speed the line keeps the one it has.
  package init(path: String, speed: Int?) throws(SystemError) {
    let number = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw SystemError(path) }
    descriptor = Descriptor(owning: number)
    var settings = termios()
    guard tcgetattr(number, &settings) == 0 else {
      try Self.refuseFile(number, path)
      return
    }
    guard ioctl(number, UInt(TIOCEXCL)) == 0 else { throw SystemError(path) }
    before = settings
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    if let speed {
      guard let code = Self.speeds[speed], cfsetspeed(&settings, code) == 0 else {
        throw SystemError("\(path) at \(speed) baud", EINVAL)
      }
    }
    guard tcsetattr(number, TCSANOW, &settings) == 0 else { throw SystemError(path) }
    let code = cfgetispeed(&settings)
    self.speed = Self.speeds.first { $0.value == code }?.key
    // What came at another speed, or before anyone listened, is no news.
    tcflush(number, TCIFLUSH)
  }

  deinit {
    guard var before else { return }
    tcsetattr(descriptor.number, TCSANOW, &before)
    _ = ioctl(descriptor.number, UInt(TIOCNXCL))
  }

  private static func refuseFile(_ number: Int32, _ path: String) throws(SystemError) {
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
      throw SystemError("\(path) is a file, not a receiver; replay:// reads it", ENOTTY)
    }
  }
}
