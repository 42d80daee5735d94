import LocationModel

/// From sentences to epochs, and from epochs to fixes.
extension NMEADecoder {
  /// Whether a sentence of that time speaks of the epoch at hand, after beginning a new one if it must.
  mutating func joins(
    _ time: Int64, as voice: Epoch.Voices, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    if epoch.time == time {
      if isOver {
        // It came after all: this receiver pauses for longer within an epoch.
        doublings = min(doublings + 1, Self.mostDoublings)
        isOver = false
      }
      epoch.hear(voice)
      return true
    }
    if isStraggler(time, voice) { return false }
    send(sentence.now, &readings)
    recent.add(epoch)
    if (1...10_000_000).contains(time - epoch.time) { interval = time - epoch.time }
    epoch = Epoch(time: time)
    epoch.hear(voice)
    if let leading { epoch.setMotion(speed: leading.speed, course: leading.course, byRMC: false) }
    leading = nil
    if let ahead, ahead.time == time { epoch.errors = ahead.errors }
    isSent = false
    isOver = false
    sky.begin(interval: interval)
    counters.epochs &+= 1
    end.begin(with: sentence.address)
    return true
  }

  /// Whether a sentence comes too late for its epoch, of which it would make a second fix.
  ///
  /// What was said of that epoch already is no straggler but another round, as of a short recording
  /// that is played again and again.
  private func isStraggler(_ time: Int64, _ voice: Epoch.Voices) -> Bool {
    let behind = epoch.time - time
    guard (1...10_000_000).contains(behind), let said = recent.said(at: time) else { return false }
    return behind < 1_000_000 || !said.contains(voice)
  }

  /// Errors of the epoch at hand, or of the one that they lead: they begin none by themselves.
  mutating func add(
    _ errors: StatedErrors, at time: Int64, _ sentence: Sentence, _ readings: inout [Reading]
  ) {
    if epoch.time == time {
      epoch.errors.add(errors)
      added(sentence, &readings)
    } else {
      var errors = errors
      if let ahead, ahead.time == time { errors.add(ahead.errors) }
      ahead = (time, errors)
    }
  }

  /// After a sentence has added what it says: if the epoch ends with it, the fix leaves.
  mutating func added(_ sentence: Sentence, _ readings: inout [Reading]) {
    guard epoch.isBegun, !isOver else { return }
    if end.note(sentence.address), options.live, epoch.isBelieved {
      send(sentence.now, &readings)
    }
  }

  /// The epoch is over: its fix leaves, if it is one.
  mutating func send(_ now: Instant, _ readings: inout [Reading]) {
    guard epoch.isBegun, !isSent else { return }
    isSent = true
    guard epoch.isBelieved, let place = epoch.place else {
      counters.withoutFix &+= 1
      return
    }
    let moment = moment(now)
    if let moment {
      release(before: moment, into: &readings)
      counters.fixes &+= 1
      readings.append(.fix(fix(at: place.coordinate, moment)))
    } else if options.live {
      counters.undated &+= 1
    } else {
      let time = Timestamp(microseconds: epoch.time)
      undated.append(fix(at: place.coordinate, time))
      if undated.count == Self.mostUndated { release(before: nil, into: &readings) }
    }
  }

  /// When an epoch was: by its own date, else nearest to the last known, else to the system's clock.
  private mutating func moment(_ now: Instant) -> Timestamp? {
    if let day = epoch.day { return clock.set(day: day, time: epoch.time, heard: now.boottime) }
    let isSet = now.utcTrusted || now.utc >= ReceiverClock.earliest
    let waits = !isSet && counters.undated < Self.undatedEpochs
    return clock.moment(
      time: epoch.time, heard: now.boottime, live: options.live,
      guess: options.live && !waits ? now.utc : nil)
  }

  /// Gives the fixes without a date theirs: the days before `next`, or the default one.
  mutating func release(before next: Timestamp?, into readings: inout [Reading]) {
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

/// The last epochs, to know a straggler by.
struct RecentEpochs {
  private typealias Entry = (time: Int64, said: Epoch.Voices)
  private var last: (Entry, Entry, Entry, Entry) = (
    (Epoch.none, []), (Epoch.none, []), (Epoch.none, []), (Epoch.none, [])
  )

  mutating func add(_ epoch: Epoch) {
    last = ((epoch.time, epoch.said), last.0, last.1, last.2)
  }

  func said(at time: Int64) -> Epoch.Voices? {
    for entry in [last.0, last.1, last.2, last.3] where entry.time == time { return entry.said }
    return nil
  }
}
