import LocationCore
import LocationModel
import Platform

/// A receiver that speaks NMEA, on a serial line or over a stream. Lost, it is looked for again.
final class ReceiverSource: Source {
  private let url: SourceURL.Receiver
  private let id: SourceID
  private let loop: EventLoop
  private let resolver: Resolver
  private let post: (Input) -> Void

  /// What is read from, whichever it is.
  private enum Line {
    case tty(Tty)
    case stream(Stream)
  }

  private final class Stream {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  private var line: Line?
  private var dialer: Dialer?
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var silence: EventLoop.Timer?
  private var decoder = NMEADecoder(ReceiverSource.options)
  private var readings: [Reading] = []
  /// Telling a fix may close it: whoever tells one looks here before going on.
  private var isWanted = false

  private static let options = NMEADecoder.Options(requireChecksum: true, live: true)

  /// Someone waits: it is looked for often.
  private static let pause: Int64 = 1_000_000_000

  init(
    _ url: SourceURL.Receiver, id: SourceID, with resolver: Resolver, on loop: EventLoop,
    post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.url = url
    self.id = id
    self.resolver = resolver
    self.loop = loop
    self.post = post
    retry = try EventLoop.Timer(slack: 100_000_000, on: loop) { [unowned self] in find() }
    silence = try EventLoop.Timer(slack: 1_000_000, on: loop) { [unowned self] in flush() }
  }

  var counters: ReceiverCounters? { decoder.counters }

  func open() {
    isWanted = true
    find()
  }

  func close() {
    isWanted = false
    retry?.set(nil)
    letGo()
  }

  private func letGo() {
    silence?.set(nil)
    watch = nil
    dialer = nil
    line = nil
  }
}

// MARK: - Finding it

extension ReceiverSource {
  private func find() {
    do throws(SystemError) {
      switch url {
      case .tty(let path, let speed): try read(.tty(Tty(path: path, speed: speed)))
      case .unix(let path): try read(.stream(Stream(.connected(to: path))))
      case .tcp(let host, let port):
        dialer = try Dialer(host: host, port: port, with: resolver, on: loop) {
          [unowned self] descriptor in
          dialer = nil
          take(descriptor)
        } failed: { [unowned self] error in
          lose("\(error)")
        }
      }
    } catch {
      lose("\(error)")
    }
  }

  private func take(_ descriptor: consuming Descriptor) {
    do throws(SystemError) { try read(.stream(Stream(descriptor))) } catch { lose("\(error)") }
  }

  private func lose(_ reason: String) {
    flush()
    guard isWanted else { return }
    letGo()
    retry?.set(Clock.boottime + Self.pause)
    post(.failed(id, reason))
  }
}

// MARK: - Reading it

extension ReceiverSource {
  private func read(_ line: Line) throws(SystemError) {
    self.line = line
    // Another receiver perhaps: nothing is known of it.
    decoder = NMEADecoder(Self.options, counters: decoder.counters)
    let body: (Readiness) -> Void = { [unowned self] _ in readSome() }
    switch line {
    case .tty(let tty): watch = try EventLoop.Watch(tty.descriptor, for: .read, on: loop, body)
    case .stream(let stream):
      watch = try EventLoop.Watch(stream.descriptor, for: .read, on: loop, body)
    }
    post(.found(id))
  }

  private func readSome() {
    let transfer = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let transfer: Transfer =
        switch line {
        case .tty(let tty): tty.descriptor.read(into: buffer)
        case .stream(let stream): stream.descriptor.read(into: buffer)
        case nil: .wouldBlock
        }
      if case .bytes(let count) = transfer {
        decoder.read(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: .now, into: &readings)
      }
      return transfer
    }
    switch transfer {
    case .bytes:
      tell()
      if isWanted { silence?.set(decoder.silence.map { Clock.boottime + $0 }) }
    case .wouldBlock: break
    case .ended: lose("it hung up")
    case .failed(let number): lose("\(SystemError("it is lost", number))")
    }
  }

  /// What the receiver has said by now is all it will say of this epoch.
  private func flush() {
    decoder.flush(at: .now, into: &readings)
    tell()
  }

  private func tell() {
    for reading in readings where isWanted {
      switch reading {
      case .fix(let fix): post(.fix(id, fix))
      case .heading(let heading): post(.heading(id, heading))
      case .clock: break
      }
    }
    readings.removeAll(keepingCapacity: true)
  }
}
