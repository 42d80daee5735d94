import Glibc
import LocationCore
import LocationModel
import Platform
import ReceiverCore
import TestSupport
import Testing

@testable import locationd

/// Telling a fix may be what closes a source: nothing may move in it after that.
@Suite("Sources") struct SourceTests {
  private static let epoch =
    "$GPRMC,120000.00,A,4500.000,N,00700.000,E,1.0,0.0,201126,,,A*5C\r\n"
    + "$GPRMC,120001.00,A,4500.000,N,00700.000,E,1.0,0.0,201126,,,A*5D\r\n"
    + "$GPRMC,120002.00,A,4500.000,N,00700.000,E,1.0,0.0,201126,,,A*5E\r\n"

  /// Runs a source that is closed at its first fix for some time after that; returns what it told, in a
  /// word each.
  private func told(
    for seconds: Double, _ make: (SourceContext) throws -> any Source,
    meanwhile: @escaping () -> Void = {}
  ) throws -> [String] {
    let loop = try EventLoop()
    var told: [String] = []
    var source: (any Source)?
    let end = try EventLoop.Timer(slack: .nanoseconds(1), on: loop) { loop.stop() }
    end.set(Clock.boottime + .seconds(patience))
    let resolver = try Resolver(on: loop)
    let context = SourceContext(id: SourceID(0), loop: loop, resolver: resolver) { input in
      switch input {
      case .reading(_, .fix):
        told.append("fix")
        end.set(Clock.boottime + .seconds(seconds))
        source?.close()
      case .found: told.append("found")
      case .failed: told.append("failed")
      default: break
      }
    }
    source = try make(context)
    source?.open(for: .all)
    meanwhile()
    try loop.run()
    withExtendedLifetime(end) {}
    source = nil
    return told
  }

  @Test("a recording that is closed while it tells a fix tells no other")
  func replay() throws {
    let path = "/tmp/recording-\(getpid())"
    let file = fopen(path, "we")
    fputs(Self.epoch, file)
    fclose(file)
    defer { unlink(path) }
    let told = try told(for: 0.1) { try ReplaySource(.init(path: path, rate: 1000), in: $0) }
    #expect(told == ["fix"])
  }

  @Test("a receiver that is closed while it tells a fix is not looked for again")
  func receiver() throws {
    let path = "/tmp/receiver-\(getpid())"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let bound = withUnixAddress(path) { bind(listener, $0, $1) }
    try #require(bound == 0 && listen(listener, 1) == 0)
    defer { unlink(path) }
    let told = try told(for: 1.5) {
      try StreamSource(.unix(path: path), in: $0)
    } meanwhile: {
      // A fix that is pending when the line hangs up is told then.
      let line = accept(listener, nil, nil)
      _ = write(line, Self.epoch, Self.epoch.utf8.count)
      close(line)
    }
    #expect(told == ["found", "fix"])
  }
}
