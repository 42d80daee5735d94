package import LocationModel

/// Reads what a gpsd tells a client that watches it, as it tells it: one fix for each epoch of the
/// receiver that is believed.
///
/// Nothing grows with the stream, whatever is said. libgps unpacks the reports of places; the lines about gpsd
/// and its receivers are read here: libgps spins for ever on five receivers.
package struct GpsdDecoder: ~Copyable {
  /// A receiver of gpsd's, as gpsd describes it.
  package struct Receiver: Equatable, Sendable {
    package var path: String
    /// The receiver's language, by gpsd's name; nil until gpsd knows.
    package var driver: String?
    package var baud: Int?
  }

  /// A line that the owner must act on.
  package enum Word: Equatable, Sendable {
    case greeting
    case receivers
    case refusal(String)
  }

  package private(set) var counters: ReceiverCounters
  package private(set) var release: String?
  package private(set) var receivers: [Receiver] = []
  /// The only receiver to listen to, if it is not all.
  private let device: String?
  private var lines = LineBuffer(longest: Self.longest)
  private var unpacker = GpsdUnpacker()
  private var epochs: [(device: String, epochs: GpsdEpochs)] = []
  private var preferred = PreferredSender<String>()

  /// A line of all satellites has some twenty thousand characters.
  private static let longest = 1 << 17
  private static let mostReceivers = 16
  private static let longestPath = 1024
  /// The silence that ends an epoch, until it is known what it ends with.
  private static let silence: Duration = .milliseconds(200)
  private static let mostDoublings = 2

  /// `counters` go on where those of an earlier connection stopped.
  package init(device: String?, counters: ReceiverCounters = ReceiverCounters()) {
    self.device = device
    self.counters = counters
  }

  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, at now: Instant, into readings: inout [Reading],
    words: inout [Word]
  ) {
    counters.bytes &+= Int64(bytes.count)
    lines.append(bytes)
    while let line = lines.next() {
      switch line {
      case .text(let text): decode(text, at: now, &readings, &words)
      case .tooLong: counters.cut &+= 1
      }
    }
    // gpsd may say an epoch's satellites after its place, all at once.
    for i in epochs.indices where epochs[i].epochs.isComplete {
      send(i, at: now, &readings) { $0.send(into: &$1) }
    }
  }

  /// The connection has ended, or has been silent for as long as `silence` says.
  package mutating func flush(at now: Instant, into readings: inout [Reading]) {
    for i in epochs.indices { send(i, at: now, &readings) { $0.send(into: &$1) } }
  }

  /// The time without a byte after which the owner must flush; nil while nothing is pending.
  package var silence: Duration? {
    epochs.lazy.filter(\.epochs.isFix).map {
      Self.silence * (1 << min($0.epochs.stragglers, Self.mostDoublings))
    }.max()
  }

  /// The receiver that is believed, or would be.
  package var receiver: Receiver? {
    receivers.first { $0.path == preferred.sender } ?? receivers.first
  }

  /// Each that is in view.
  package var view: [Satellite] {
    let path = receiver?.path
    return epochs.first { $0.device == path }?.epochs.view ?? []
  }

  package var satellites: (used: Int?, inView: Int?) {
    let path = receiver?.path
    return epochs.first { $0.device == path }?.epochs.satellites ?? (nil, nil)
  }
}

extension GpsdDecoder {
  private mutating func decode(
    _ line: UnsafeRawBufferPointer, at now: Instant, _ readings: inout [Reading],
    _ words: inout [Word]
  ) {
    guard let object = try? JSON(parsing: line), let name = object["class"]?.string else {
      counters.malformed &+= 1
      return
    }
    counters.sentences &+= 1
    switch name {
    case "VERSION":
      release = object["release"]?.string.map { String($0.prefix(40)) }
      words.append(.greeting)
    case "DEVICES":
      receivers = []
      for entry in object["devices"]?.array ?? [] { note(entry) }
      words.append(.receivers)
    case "DEVICE":
      note(object)
      words.append(.receivers)
    case "ERROR":
      words.append(.refusal(String((object["message"]?.string ?? "error").prefix(200))))
    default:
      guard let kind = GpsdReport.Class(rawValue: name) else {
        counters.unused &+= 1
        return
      }
      let device = object["device"]?.string
      guard let i = place(of: device) else { return }
      let report = unpacker.unpack(object, as: kind)
      if case .position(let position) = report, !position.mode.isFix { counters.withoutFix &+= 1 }
      send(i, at: now, &readings) { $0.add(report, of: device, now: now, into: &$1) }
    }
  }

  /// Where the epochs of a report's receiver are kept; nil where it is not to be listened to.
  private mutating func place(of said: String?) -> Int? {
    let path = said ?? receivers.first?.path ?? ""
    if let device, path != device { return nil }
    if let i = epochs.firstIndex(where: { $0.device == path }) { return i }
    guard path.utf8.count <= Self.longestPath else { return nil }
    if epochs.count == Self.mostReceivers { epochs.removeFirst() }
    epochs.append((path, GpsdEpochs()))
    return epochs.count - 1
  }

  /// Does something that may make a fix, and keeps it if its receiver is the one believed.
  private mutating func send(
    _ i: Int, at now: Instant, _ readings: inout [Reading],
    _ body: (inout GpsdEpochs, inout [Reading]) -> Void
  ) {
    var made: [Reading] = []
    body(&epochs[i].epochs, &made)
    for reading in made {
      switch reading {
      case .fix(var fix):
        counters.epochs &+= 1
        guard preferred.admits(fix, from: epochs[i].device, at: now.boottime) else { continue }
        counters.fixes &+= 1
        fix.location.source = "gpsd:\(epochs[i].device)"
        readings.append(.fix(fix))
      case .heading:
        counters.headings &+= 1
        readings.append(reading)
      case .scan, .beacons, .clock: break
      }
    }
  }

  /// One that is not open is said to have been activated never, or at 0.
  private mutating func note(_ report: JSON) {
    guard let path = report["path"]?.string, path.utf8.count <= Self.longestPath else { return }
    let known = receivers.firstIndex { $0.path == path }
    if report["activated"]?.double == 0 {
      if let known { receivers.remove(at: known) }
      epochs.removeAll { $0.device == path }
      return
    }
    var receiver = known.map { receivers[$0] } ?? Receiver(path: path)
    receiver.driver = report["driver"]?.string.map { String($0.prefix(40)) } ?? receiver.driver
    receiver.baud = report["bps"]?.integer.flatMap { Int(exactly: $0) } ?? receiver.baud
    if let known {
      receivers[known] = receiver
    } else if receivers.count < Self.mostReceivers {
      receivers.append(receiver)
    }
  }
}
