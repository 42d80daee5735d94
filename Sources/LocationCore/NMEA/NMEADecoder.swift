import LocationModel

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
  package internal(set) var counters = ReceiverCounters()

  /// A sentence whose end has not been read yet.
  private var partial = TextBuffer(capacity: Self.longest)
  /// Whether one sentence had a checksum that holds.
  private var hasChecksums = false
  var epoch: Epoch?
  var isSent = false
  var sky = Sky()
  var clock = ReceiverClock()
  /// Of the compass, east positive, as the receiver last said it.
  var variation: Double?
  private var end = EpochEnd()
  private var recent = RecentTimes()
  /// Fixes of a recording that has not said its date yet.
  private var undated: [Fix] = []
  private var patience = Self.leastPatience
  private var sentBySilence = false

  /// Longer than any sentence met; the standard's own bound is 82.
  private static let longest = 1024
  private static let leastPatience: Int64 = 200_000_000
  private static let mostPatience: Int64 = 1_600_000_000
  private static let mostUndated = 64
  /// Live epochs to wait for a date while the system's clock is no better than a guess.
  private static let undatedEpochs: Int64 = 3

  package init(_ options: Options) {
    self.options = options
  }

  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, at now: Instant, into readings: inout [Reading]
  ) {
    counters.bytes &+= Int64(bytes.count)
    var at = 0
    if partial.count > 0 { at = finishPartial(with: bytes, now, &readings) }
    let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
    let left = UnsafeRawBufferPointer(rebasing: rest[scan(rest, now, &readings)...])
    keep(left)
  }

  /// The stream has ended, or has been silent for as long as `silence` says.
  package mutating func flush(at now: Instant, into readings: inout [Reading]) {
    let bytes = partial.bytes
    if bytes.count > 3, bytes[bytes.count - 3] == SentenceBytes.checksumMark {
      partial.append(UInt8(0))
      _ = scan(partial.bytes, now, &readings)
      partial.removeAll()
    }
    sentBySilence = epoch != nil && !isSent
    send(now, &readings)
    if !options.live { release(before: nil, into: &readings) }
  }

  /// Nanoseconds of quiet after which the owner must flush; nil while nothing is pending.
  package var silence: Int64? {
    guard options.live, partial.count > 0 || (epoch?.isBelieved ?? false) && !isSent
    else { return nil }
    return patience
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
      case SentenceBytes.checksumMark:
        guard end + 3 < bytes.count else { return start }
        at = end + 1
        guard isChecksum(bytes, at: at, sum) else { continue }
        counters.sentences &+= 1
        take(Fields(bytes, from: start + 1, to: end), isChecked: true, now, &readings)
      case 0x0A, 0x0D:
        // A receiver that gives checksums gives them always: without one, this is half a sentence.
        guard !options.requireChecksum, !hasChecksums else {
          counters.missingChecksums &+= 1
          continue
        }
        counters.sentences &+= 1
        take(Fields(bytes, from: start + 1, to: end), isChecked: false, now, &readings)
      default:
        counters.cut &+= 1
      }
    }
  }

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
    let left = scan(partial.bytes, now, &readings)
    if isOver || isCut || left == partial.count { partial.removeAll() }
    return taken
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count < Self.longest { partial.append(bytes) } else { counters.cut &+= 1 }
  }
}

/// From sentences to epochs, and from epochs to fixes.
extension NMEADecoder {
  /// Whether a sentence of that time speaks of the epoch at hand, after beginning a new one if it must.
  ///
  /// A sentence that only adds to a place never returns to an epoch that has passed.
  mutating func joins(
    _ time: Int64, addsOnly: Bool = false, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    if let epoch, epoch.time == time { return true }
    if let epoch {
      let behind = epoch.time - time
      if behind > 0, behind < 1_000_000 || addsOnly && behind < 10_000_000 {
        if addsOnly || recent.contains(time) { return false }
      }
    }
    send(sentence.now, &readings)
    if let epoch { recent.add(epoch.time) }
    epoch = Epoch(time: time)
    isSent = false
    sentBySilence = false
    sky.epoch &+= 1
    counters.epochs &+= 1
    end.begin(with: sentence.address)
    return true
  }

  /// After a sentence has added what it says: if the epoch ends with it, the fix leaves.
  mutating func added(_ sentence: Sentence, _ readings: inout [Reading]) {
    if sentBySilence {
      // It came after all: this receiver pauses longer than was waited for.
      patience = min(patience * 2, Self.mostPatience)
      sentBySilence = false
    }
    if end.note(sentence.address), options.live { send(sentence.now, &readings) }
  }

  /// Whatever was pending is over: the receiver has no fix, and not even a time.
  mutating func lose(_ now: Instant, _ readings: inout [Reading]) {
    send(now, &readings)
    if let epoch { recent.add(epoch.time) }
    epoch = nil
  }

  private mutating func send(_ now: Instant, _ readings: inout [Reading]) {
    guard let epoch, !isSent else { return }
    isSent = true
    guard epoch.isBelieved, let place = epoch.place else {
      counters.withoutFix &+= 1
      return
    }
    let moment = moment(of: epoch, now)
    guard
      let fix = fix(of: epoch, at: place.coordinate, moment ?? Timestamp(microseconds: epoch.time))
    else {
      counters.malformed &+= 1
      return
    }
    if let moment {
      release(before: moment, into: &readings)
      counters.fixes &+= 1
      readings.append(.fix(fix))
    } else if options.live {
      counters.undated &+= 1
    } else {
      undated.append(fix)
      if undated.count == Self.mostUndated { release(before: nil, into: &readings) }
    }
  }

  /// When an epoch was: by its own date, else nearest to the last known, else to the system's clock.
  private mutating func moment(of epoch: Epoch, _ now: Instant) -> Timestamp? {
    if let day = epoch.day { return clock.moment(day: day, time: epoch.time, heard: now.boottime) }
    let waits = !now.utcTrusted && counters.undated < Self.undatedEpochs
    return clock.moment(
      time: epoch.time, heard: now.boottime, live: options.live,
      guess: options.live && !waits ? now.utc : nil)
  }

  /// Gives the fixes without a date theirs: the days before `next`, or the default one.
  private mutating func release(before next: Timestamp?, into readings: inout [Reading]) {
    guard !undated.isEmpty else { return }
    let first = Timestamp(
      microseconds: Int64(options.dateless) * Timestamp.microsecondsPerDay
        + undated[0].location.timestamp.microseconds)
    var moment = next ?? first
    let order = next == nil ? Array(undated.indices) : undated.indices.reversed()
    for i in order {
      moment = ReceiverClock.nearest(
        time: undated[i].location.timestamp.microseconds, to: moment)
      undated[i].location.timestamp = moment
    }
    if next == nil { clock.start(at: moment) }
    counters.fixes &+= Int64(undated.count)
    for fix in undated { readings.append(.fix(fix)) }
    undated.removeAll()
  }
}

/// The times of the last epochs, to know a straggler by.
private struct RecentTimes {
  private var times = (Int64(-1), Int64(-1), Int64(-1), Int64(-1))

  mutating func add(_ time: Int64) {
    times = (time, times.0, times.1, times.2)
  }

  func contains(_ time: Int64) -> Bool {
    times.0 == time || times.1 == time || times.2 == time || times.3 == time
  }
}
