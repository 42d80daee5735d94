import Dispatch
import Foundation
import LocationClient
import LocationModel

/// `locationd-map`, which serves the page: lines of JSON to it and from it, over one socket. It ends with this.
@MainActor final class MapPage {
  let url: URL
  /// The service of places that the page's ground comes from.
  let places = PlacesClient.current
  private let descriptor: Int32
  private let reading: any DispatchSourceRead
  private var writing: (any DispatchSourceWrite)?
  private let lines: HelperLines
  private var waiting: [UInt8] = []
  var receive: (JSON) -> Void = { _ in }
  var ended: () -> Void = {}

  /// Milliseconds until its server listens.
  nonisolated static let patience: Int32 = 10_000

  /// Starts the program, and returns when the page is served.
  static func serve(
    by program: String, within patience: Int32 = MapPage.patience
  ) async throws(MKError) -> MapPage {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw MKError(.serverFailure, String(cString: strerror(errno)))
    }
    start(program, HelperOptions.arguments, on: ends[1])
    let descriptor = ends[0]
    let found: (URL, HelperLines)? = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: greeting(from: descriptor, within: patience))
      }
    }
    guard let (url, lines) = found else {
      close(descriptor)
      throw MKError(.serverFailure, "The map cannot be served: \(program) does not start.")
    }
    return MapPage(url, descriptor, lines)
  }

  private init(_ url: URL, _ descriptor: Int32, _ lines: HelperLines) {
    self.url = url
    self.descriptor = descriptor
    self.lines = lines
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    reading.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read() } }
    reading.setCancelHandler { close(descriptor) }
    reading.resume()
  }

  /// Waits for the program's first line, on a thread of its own. Nil where none comes in time.
  private nonisolated static func greeting(
    from descriptor: Int32, within patience: Int32
  ) -> (URL, HelperLines)? {
    let deadline = DispatchTime.now() + .milliseconds(Int(patience))
    let lines = HelperLines()
    while true {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&ready, 1, patience)
      guard count > 0 || count < 0 && errno == EINTR, DispatchTime.now() < deadline,
        lines.read(descriptor)
      else { return nil }
      guard let first = lines.next() else { continue }
      return first["address"]?.string.flatMap { URL(string: $0) }.map { ($0, lines) }
    }
  }

  isolated deinit { end() }

  /// It is a child of a thread that lives as long, and which the system takes for its parent.
  private static func start(_ program: String, _ arguments: [String], on end: Int32) {
    Thread.detachNewThread {
      let child = Process()
      let handle = FileHandle(fileDescriptor: end, closeOnDealloc: false)
      child.executableURL = URL(filePath: program)
      child.arguments = arguments
      child.standardInput = handle
      child.standardOutput = handle
      let isRunning = (try? child.run()) != nil
      close(end)
      if isRunning { child.waitUntilExit() }
    }
  }

  /// In the folder of the app's own program, in PATH, else where programs are installed.
  nonisolated static var program: String? {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders =
      [URL(filePath: own).deletingLastPathComponent().path]
      + path.split(separator: ":").map(String.init) + ["/usr/bin"]
    return folders.map { "\($0)/locationd-map" }
      .first(where: FileManager.default.isExecutableFile)
  }

  private func end() {
    reading.cancel()
    writing?.cancel()
    writing = nil
  }

  private func read() {
    let isOpen = lines.read(descriptor)
    while let line = lines.next() { receive(line) }
    guard !isOpen else { return }
    end()
    ended()
  }
}

// MARK: - Telling

extension MapPage {
  func write(_ json: JSON) {
    guard !reading.isCancelled else { return }
    var line = TextBuffer()
    line.append(json)
    line.append("\n")
    waiting += Array(line.bytes)
    if writing == nil { flush() }
  }

  func set(_ name: String, _ value: JSON) { write(["set": .string(name), "value": value]) }

  func add(_ name: String, _ value: JSON) { write(["add": .string(name), "value": value]) }

  /// The helper always reads; what does not fit into the socket now is written when it does.
  private func flush() {
    var sent = 0
    while sent < waiting.count {
      let count = waiting.withUnsafeBytes {
        send(
          descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
      } else if count < 0, errno == EAGAIN {
        break
      } else if count < 0, errno != EINTR {
        // Its end is heard by reading.
        sent = waiting.count
      }
    }
    waiting.removeFirst(sent)
    if waiting.isEmpty {
      writing?.cancel()
      writing = nil
    } else if writing == nil {
      let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.flush() } }
      source.resume()
      writing = source
    }
  }
}

/// More arguments of the helper, for tests.
enum HelperOptions {
  @TaskLocal static var arguments: [String] = []
}

/// Lines of JSON out of what is read; a longer one than the helper ever says is left out.
final class HelperLines {
  private var lines = LineBuffer(longest: 1 << 20)

  /// False once the other side has closed.
  func read(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16384)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    buffer[..<count].withUnsafeBytes { lines.append($0) }
    return true
  }

  func next() -> JSON? {
    while let line = lines.next() {
      if case .text(let text) = line, let json = try? JSON(parsing: text) { return json }
    }
    return nil
  }
}
