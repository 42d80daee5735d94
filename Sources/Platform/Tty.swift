internal import CLinux
internal import Glibc

/// A serial line taken for ourselves, as it was before when let go of. A device that is no tty, such
/// as `/dev/gnss0`, is only read. Nothing is written to either.
package final class Tty {
  package let descriptor: Descriptor
  private let path: String
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

  /// The line keeps the speed it has.
  package init(path: String) throws(SystemError) {
    let number = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw SystemError(path) }
    descriptor = Descriptor(owning: number)
    self.path = path
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
      throw SystemError("\(path) is no device; replay:// reads files", ENOTTY)
    }
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw SystemError(path, EBUSY) }
    var settings = termios()
    guard tcgetattr(number, &settings) == 0 else { return }
    // A pseudo terminal would stay exclusive after us. Root may open a line that another has taken.
    if !linux_is_pseudo_terminal(status.st_rdev) {
      guard !linux_is_exclusive(number) else { throw SystemError(path, EBUSY) }
      guard ioctl(number, UInt(TIOCEXCL)) == 0 else { throw SystemError(path) }
    }
    before = settings
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    settings.c_cflag &= ~tcflag_t(CSTOPB)
    guard tcsetattr(number, TCSANOW, &settings) == 0 else { throw SystemError(path) }
    begin(settings)
  }

  deinit {
    guard var before else { return }
    tcsetattr(descriptor.number, TCSANOW, &before)
    _ = ioctl(descriptor.number, UInt(TIOCNXCL))
  }

  /// Whether it has a speed at all.
  package var isLine: Bool { before != nil }

  package func run(at speed: Int) throws(SystemError) {
    guard speed != self.speed else { return begin(nil) }
    let refusal = SystemError("\(path) at \(speed) baud", EINVAL)
    var settings = termios()
    guard let code = Self.speeds[speed], tcgetattr(descriptor.number, &settings) == 0,
      cfsetspeed(&settings, code) == 0, tcsetattr(descriptor.number, TCSANOW, &settings) == 0,
      // A driver may take another speed without a word.
      tcgetattr(descriptor.number, &settings) == 0, cfgetispeed(&settings) == code
    else { throw refusal }
    begin(settings)
  }

  /// Bytes that came at another speed, or before anyone listened, are no news.
  private func begin(_ settings: termios?) {
    tcflush(descriptor.number, TCIFLUSH)
    guard var settings else { return }
    let code = cfgetispeed(&settings)
    speed = Self.speeds.first { $0.value == code }?.key
  }
}
