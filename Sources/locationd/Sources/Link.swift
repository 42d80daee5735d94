import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A stream to somewhere, made again whenever it is lost, as long as it is open.
final class Link {
  enum Target: Equatable {
    case tcp(host: String, port: Int)
    case unix(path: String)
  }

  enum Event {
    case connected
    case received(UnsafeRawBufferPointer)
    /// Why it is gone; another is made after a pause.
    case lost(String)
  }

  private final class Stream {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private let target: Target
  private let resolver: Resolver
  /// Why it is not to be connected to now; nil where it may be.
  private let obstacle: () -> String?
  private let body: (Event) -> Void

  // In this order they end, too: watched no more, then closed.
  private var watch: EventLoop.Watch?
  private var stream: Stream?
  private var dialer: Dialer?
  private var retry: EventLoop.Timer?
  private var pauses = Pauses()
  /// The owner may close the link while it is told something: look here before going on.
  private(set) var isOpen = false
  /// Made once: reading is what it does most.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 1)
  /// When it is looked for again, in boottime.
  private(set) var nextRetry: Boottime?

  init(
    to target: Target, with resolver: Resolver, unless obstacle: @escaping () -> String? = { nil },
    _ body: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.target = target
    self.resolver = resolver
    self.obstacle = obstacle
    self.body = body
    retry = try EventLoop.Timer(slack: .milliseconds(50), on: resolver.loop) { [unowned self] in
      find()
    }
  }

  deinit { buffer.deallocate() }

  var isConnected: Bool { stream != nil }

  /// The connection, also while it is made, leads to the share.
  func isLoop(_ way: WayBack) -> Bool {
    switch way {
    case .socket(let inode): (stream?.descriptor.socketInode() ?? dialer?.socketInode) == inode
    case .path(let path): isOpen && isSame(path)
    case .datagrams, .terminal: false
    }
  }

  private func isSame(_ path: String) -> Bool {
    guard case .unix(let own) = target else { return false }
    return own == path || PathIdentity.areSame(own, path)
  }

  func open() {
    isOpen = true
    pauses.reset()
    find()
  }

  func close() {
    isOpen = false
    release()
  }

  /// The peer is the right one: if it is lost, it is looked for at once.
  func confirm() { pauses.reset() }

  /// A few words. A peer that takes none will not answer either.
  func send(_ text: String) {
    var text = text
    text.withUTF8 { _ = stream?.descriptor.send(UnsafeRawBufferPointer($0)) }
  }

  /// Gives this connection up, and makes another one after a pause.
  func fail(_ reason: String) {
    guard isOpen else { return }
    release()
    let moment = Clock.boottime + pauses.next()
    nextRetry = moment
    retry?.set(moment)
    body(.lost(reason))
  }

  private func release() {
    retry?.set(nil)
    nextRetry = nil
    watch = nil
    dialer = nil
    stream = nil
  }
}

extension Link {
  private func find() {
    nextRetry = nil
    if let obstacle = obstacle() { return fail(obstacle) }
    do throws(SystemError) {
      switch target {
      case .unix(let path): try read(Stream(.connected(to: path)))
      case .tcp(let host, let port):
        dialer = try Dialer(host: host, port: port, with: resolver) {
          [unowned self] descriptor in
          dialer = nil
          adopt(descriptor)
        } failed: { [unowned self] error in
          fail("\(error)")
        }
      }
    } catch {
      fail("\(error)")
    }
  }

  private func adopt(_ descriptor: consuming Descriptor) {
    do throws(SystemError) { try read(Stream(descriptor)) } catch { fail("\(error)") }
  }

  private func read(_ stream: Stream) throws(SystemError) {
    watch = try EventLoop.Watch(stream.descriptor, for: .read, on: resolver.loop) {
      [unowned self] _ in readSome()
    }
    self.stream = stream
    body(.connected)
  }

  private func readSome() {
    switch stream?.descriptor.read(into: buffer) ?? .wouldBlock {
    case .bytes(let count):
      // The owner may let go of this while it is told something.
      withExtendedLifetime(self) {
        body(.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
      }
    case .wouldBlock: break
    case .ended: fail("it hung up")
    case .failed(let number): fail("\(SystemError("it is lost", number))")
    }
  }
}
