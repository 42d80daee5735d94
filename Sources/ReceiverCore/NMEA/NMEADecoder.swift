package import LocationModel

/// Turns what a receiver says, in NMEA 0183, into one fix for each epoch.
///
/// Nothing is copied but a sentence that two reads share, and nothing grows with the stream.
package struct NMEADecoder: ~Copyable {
  package struct Options: Sendable {
    /// Whether a sentence without a checksum is refused; one with a wrong checksum always is.
    package var requireChecksum: Bool
    /// Whether a receiver speaks now: its fixes do not wait, and its date may be mended.
    package var live: Bool
    /// The day, since the Unix epoch, that a recording without any date is of.
    package var dateless: Int

    package init(requireChecksum: Bool, live: Bool, dateless: Int = 0) {
      self.requireChecksum = requireChecksum
      self.live = live
      self.dateless = dateless
    }
  }

  let options: Options
  package internal(set) var counters: ReceiverCounters

  /// A sentence whose end has not been read yet.
  private var partial = TextBuffer(capacity: Self.longest)
  /// When the first byte of the sentence at hand was read, and of the one kept; nil where that is not when the
  /// receiver said it.
  var heard: Timestamp?
  private var partialHeard: Timestamp?
  /// Whether one sentence had a checksum that holds.
  private var hasChecksums = false
  var epoch = Epoch(time: Epoch.none)
  var isSent = false
  var sky = Sky()
  var clock = ReceiverClock()
  /// The compass's variation, east positive, as the receiver last said it.
  var variation: Double?
  var end = EpochEnd()
  var recent = RecentEpochs()
  /// Fixes of a recording that has not said its date yet.
  var undated: [Fix] = []
  /// Speed and course said after a silence, before the epoch that they are of.
  var leading: (speed: Double?, course: Double?)?
  /// Errors said before the first sentence that has a place of that time.
  var ahead: (time: Duration, errors: StatedErrors)?
  /// Whether a silence has ended the epoch: what then comes without a time leads the next one.
  var isOver = false
  /// When the last epoch was whose time was not that of the one before, and when it was heard.
  var stood: (moment: Timestamp, begun: Boottime)?
  /// How many epochs in a row had no time.
  var timelessEpochs = 0
  private var lastRead: Boottime = .start
  /// From one epoch to the next.
  var interval: Duration = .seconds(1)
  /// How often a silence was too short for this receiver, each of which doubles the next.
  var doublings: Int64 = 0

  /// With its `$`, checksum and the byte after, longer than any met; the standard's bound is 82.
  private static let longest = 1024
  /// The silence that ends an epoch: half an interval, within these bounds.
  private static let silences: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(200)
  static let mostDoublings: Int64 = 3
  static let mostUndated = 64
  /// Epochs farther apart say nothing of each other.
  static let longestInterval: Duration = .seconds(10)
  /// Live epochs to wait for a date while the system's clock has not been set.
  static let undatedEpochs: Int64 = 3
  /// The time after which any receiver's time is another: it says at least whole seconds.
  static let longestTick: Duration = .milliseconds(950)
  /// The time without a said one after which a receiver is one that says none.
  static let timelessSilence: Duration = .seconds(2)

  package init(_ options: Options, counters: ReceiverCounters = ReceiverCounters()) {
    self.options = options
    self.counters = counters
  }

  /// The line begins anew, perhaps with another receiver. What ends an epoch is kept, for it is soon
  /// unlearnt and the first fix then need not wait; so are the counters where none are given.
  package mutating func begin(_ counters: ReceiverCounters? = nil) {
    var end = end
    end.breakOff()
    self = NMEADecoder(options, counters: counters ?? self.counters)
    self.end = end
  }

  /// `asSpoken`: the bytes come as the receiver says them, so that they tell when it does.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, asSpoken: Bool = true, at now: Instant,
    into readings: inout [Reading]
  ) {
    counters.bytes &+= Int64(bytes.count)
    if options.live {
      isOver = isOver || now.boottime - lastRead >= quiet
      lastRead = now.boottime
    }
    var at = 0
    if partial.count > 0 { at = finishPartial(with: bytes, now, &readings) }
    heard = asSpoken ? now.utc : nil
    let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
    let left = UnsafeRawBufferPointer(rebasing: rest[scan(rest, now, &readings)...])
    if partial.count == 0 { partialHeard = heard }
    keep(left)
  }

  /// The fault by which the receiver's fixes lack a time of their own.
  package enum TimeFault { case standing, missing }

  package var timeFault: TimeFault? {
    epoch.isStanding ? .standing : epoch.isTimeless ? .missing : nil
  }

  /// As far as it has been said of late.
  package var satellitesInView: Int? { sky.satellitesInView }
  package var satellites: [Satellite] { sky.satellites }

  /// The stream has ended, or has been silent for as long as `silence` says.
  package mutating func flush(at now: Instant, into readings: inout [Reading]) {
    if isPartialWhole {
      partial.append(UInt8(0))
      _ = scan(partial.bytes, now, &readings)
      partial.removeAll()
    }
    if epoch.isBelieved { send(now, &readings) }
    if !options.live { release(before: nil, into: &readings) }
  }

  /// Nanoseconds without a byte after which the owner must flush; nil while nothing is pending.
  package var silence: Duration? {
    guard options.live, isPartialWhole || epoch.isBelieved && !isSent else { return nil }
    return quiet
  }

  /// Whether the sentence kept lacks nothing but the byte after it, which would show that it ends.
  private var isPartialWhole: Bool {
    let bytes = partial.bytes
    return bytes.count > 3 && bytes[bytes.count - 3] == SentenceBytes.checksumMark
  }

  private var quiet: Duration {
    min(max(interval / 2, Self.silences.lowerBound), Self.silences.upperBound) * (1 << doublings)
  }
}

/// From bytes to sentences.
extension NMEADecoder {
  /// Reads all whole sentences; returns where one begins that is not whole yet, or the count.
  private mutating func scan(
    _ bytes: UnsafeRawBufferPointer, _ now: Instant, _ readings: inout [Reading]
  ) -> Int {
    var at = 0
    while true {
      let start = SentenceBytes.next(in: bytes, from: at)
      guard start < bytes.count else { return start }
      let (end, sum) = SentenceBytes.end(in: bytes, from: start + 1)
      guard end < bytes.count else { return start }
      at = end
      switch bytes[end] {
      case _ where end &- start > Self.longest - 4:
        counters.cut &+= 1
      case SentenceBytes.checksumMark:
        guard end + 3 < bytes.count else { return start }
        at = end + 1
        guard isChecksum(bytes, at: at, sum) else { continue }
        counters.sentences &+= 1
        decode(Fields(bytes, from: start + 1, to: end, isChecked: true), now, &readings)
      case 0x0A, 0x0D:
        // A receiver that gives checksums gives them always: without one, this is half a sentence.
        guard !options.requireChecksum, !hasChecksums else {
          counters.missingChecksums &+= 1
          continue
        }
        counters.sentences &+= 1
        decode(Fields(bytes, from: start + 1, to: end, isChecked: false), now, &readings)
      default:
        counters.cut &+= 1
      }
    }
  }

  @inline(__always)
  private mutating func isChecksum(
    _ bytes: UnsafeRawBufferPointer, at: Int, _ sum: UInt8
  ) -> Bool {
    if let high = SentenceBytes.hexadecimal(bytes[at]),
      let low = SentenceBytes.hexadecimal(bytes[at + 1]), high << 4 | low == sum,
      SentenceBytes.hexadecimal(bytes[at + 2]) == nil
    {
      hasChecksums = true
      return true
    }
    counters.badChecksums &+= 1
    return false
  }

  /// Joins new bytes to the sentence begun before; returns how many of them it took.
  private mutating func finishPartial(
    with bytes: UnsafeRawBufferPointer, _ now: Instant, _ readings: inout [Reading]
  ) -> Int {
    let room = Self.longest - partial.count
    var taken = 0
    var isOver = false
    while taken < min(bytes.count, room), !isOver {
      let byte = bytes[taken]
      if byte == SentenceBytes.start { break }
      isOver = byte == 0x0A || byte == 0x0D
      taken += 1
    }
    partial.append(UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
    let isCut = taken < bytes.count && !isOver
    if isCut { partial.append(taken < room ? SentenceBytes.start : 0) }
    heard = partialHeard
    let left = scan(partial.bytes, now, &readings)
    if isOver || isCut || left == partial.count { partial.removeAll() }
    return taken
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count <= Self.longest { partial.append(bytes) } else { counters.cut &+= 1 }
  }
}
