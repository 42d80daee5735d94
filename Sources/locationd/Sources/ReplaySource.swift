import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// A recording, told as its receiver told it. Closed, it stands still, and goes on from there.
final class ReplaySource: Source {
  private let recording: SourceURL.Recording
  private let context: SourceContext
  private var timer: EventLoop.Timer?

  private var file: Descriptor?
  private var offset = 0
  private var decoder = ReplaySource.makeDecoder()
  private var readings: [Reading] = []
  private var next = 0

  /// The fix to tell next, when, and the one before it.
  private var upcoming: Fix?
  /// Said before it.
  private var headings: [Heading] = []
  private var due: Boottime = .start
  private var previous: Timestamp?
  /// The length of the loops before this one.
  private var shift: Duration = .zero
  private var step: Duration = .seconds(1)
  private var passHasFixes = false
  private var passStart: Timestamp?
  /// The next one begins the recording again, far from the one before.
  private var beginsAgain = false

  private static let mostAtOnce = 4
  /// Between two fixes.
  private static let mostHeadings = 256
  /// A recording that jumps, as receivers do when they learn the date, is not waited for.
  private static let longestPause: Duration = .seconds(600)

  init(
    _ recording: SourceURL.Recording, in context: SourceContext
  ) throws(SystemError) {
    self.recording = recording
    self.context = context
    timer = try EventLoop.Timer(slack: .milliseconds(1), on: context.loop) { [unowned self] in
      play()
    }
  }

  func open(for _: SourceDemand) {
    due = Clock.boottime
    do throws(SystemError) {
      let file = try Descriptor(reading: recording.path)
      try file.seek(to: offset)
      self.file = consume file
      play()
    } catch {
      context.reportFailure("\(error)")
    }
  }

  func close() {
    timer?.set(nil)
    file = nil
  }

  var counters: ReceiverCounters? { decoder.counters }

  /// Tells what is due, and sleeps until the next is.
  private func play() {
    let now = Clock.boottime
    // After a sleep of the machine it goes on where it was, rather than in haste.
    if due < now - .seconds(1) { due = now }
    // One told faster than this machine can tell it keeps nobody's requests waiting.
    for _ in 0..<Self.mostAtOnce {
      guard upcoming != nil || advance(), let fix = upcoming else { return }
      guard due <= now else { break }
      upcoming = nil
      let headings = self.headings
      self.headings.removeAll(keepingCapacity: true)
      if beginsAgain { context.reportFound() }
      beginsAgain = false
      for heading in headings where file != nil { context.report(.heading(heading)) }
      guard file != nil else { return }
      context.report(.fix(fix))
      // That may have been the last one anybody needed.
      guard file != nil else { return }
    }
    timer?.set(max(due, now))
  }

  /// A recording that says no day is of today.
  private static func makeDecoder() -> RecordingDecoder {
    RecordingDecoder(dateless: Clock.utc.dayNumber)
  }

  /// Takes the next fix of the recording; false where there is none.
  private func advance() -> Bool {
    while true {
      while next < readings.count {
        let reading = readings[next]
        next += 1
        switch reading {
        case .fix(let fix):
          schedule(fix)
          return true
        case .heading(var heading) where headings.count < Self.mostHeadings:
          heading.timestamp = heading.timestamp + shift
          headings.append(heading)
        case .heading, .scan, .beacons, .clock: break
        }
      }
      readings.removeAll(keepingCapacity: true)
      next = 0
      guard readMore() else { return false }
    }
  }

  private func schedule(_ fix: Fix) {
    var fix = fix
    // Loops that have run on to where no date is plausible begin with the recording's own again.
    if !(fix.location.timestamp + shift).isPlausible {
      shift = .zero
      passHasFixes = false
      beginsAgain = true
    }
    let time = fix.location.timestamp + shift
    fix.location.timestamp = time
    if let previous {
      let pause = time - previous
      let isPlain = pause >= .zero && pause <= Self.longestPause
      if isPlain, pause > .zero { step = pause }
      due += Duration(clamping: (isPlain ? pause : step).seconds / recording.rate)
    }
    if !passHasFixes { passStart = time }
    passHasFixes = true
    previous = time
    upcoming = fix
  }

  private func readMore() -> Bool {
    let transfer = withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
      let transfer = file?.read(into: buffer) ?? .ended
      if case .bytes(let count) = transfer {
        offset += count
        decoder.read(
          UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: .now, into: &readings)
      }
      return transfer
    }
    switch transfer {
    case .bytes: return true
    case .wouldBlock, .ended: return endPass()
    case .failed(let number):
      context.reportFailure("\(SystemError(recording.path, number))")
      return false
    }
  }

  /// At the end of the file: what the decoder still holds, or the next loop.
  private func endPass() -> Bool {
    decoder.flush(at: .now, into: &readings)
    if !readings.isEmpty { return true }
    decoder = Self.makeDecoder()
    offset = 0
    guard passHasFixes else {
      context.reportFailure("there is no fix in the recording")
      return false
    }
    passHasFixes = false
    beginsAgain = true
    guard recording.loops else {
      previous = nil
      shift = .zero
      context.reportFailure("the recording has ended")
      return false
    }
    if let previous, let passStart { shift += previous - passStart + step }
    do throws(SystemError) { try file?.seek(to: 0) } catch {
      context.reportFailure("\(error)")
      return false
    }
    return true
  }
}
