internal import CMicrohttpd

/// An answer without an end: server-sent events. It is asked for bytes whenever the client has read those before,
/// and rests while there are none. It keeps nothing.
package final class HTTPStream {
  private let next: (UnsafeMutableRawBufferPointer) -> Int
  private let gone: () -> Void
  private var connection: OpaquePointer?
  private var isResting = false
  private var isDue = false
  private var hasEnded = false
  private var resumed: () -> Void = {}
  private var ended: () -> Void = {}

  /// A comment of server-sent events: the client hears nothing of it.
  private static let pulse = Array(":\n\n".utf8)

  /// `next`: fills the buffer, and says with how many bytes; 0 while there is nothing. `gone`: the client is.
  package init(
    next: @escaping (UnsafeMutableRawBufferPointer) -> Int, gone: @escaping () -> Void
  ) {
    self.next = next
    self.gone = gone
  }

  /// There is something to send.
  package func wake() {
    guard isResting else { return }
    resume()
    resumed()
  }

  /// The client is sent no more.
  package func end() {
    hasEnded = true
    wake()
  }
}

extension HTTPStream {
  func begin(
    _ connection: OpaquePointer, resumed: @escaping () -> Void, ended: @escaping () -> Void
  ) {
    self.connection = connection
    self.resumed = resumed
    self.ended = ended
  }

  func resume() {
    guard isResting, let connection else { return }
    isResting = false
    MHD_resume_connection(connection)
  }

  func beat() {
    isDue = true
    wake()
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard !hasEnded else { return mhd_stream_has_ended }
    var count = next(buffer)
    if count == 0, isDue, buffer.count >= Self.pulse.count {
      buffer.copyBytes(from: Self.pulse)
      count = Self.pulse.count
    }
    if count > 0 {
      isDue = false
    } else if let connection {
      isResting = true
      MHD_suspend_connection(connection)
    }
    return count
  }

  func finish() {
    connection = nil
    ended()
    gone()
  }
}
