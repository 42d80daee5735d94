import LocationModel

/// From sentences to epochs, and from epochs to fixes.
extension NMEADecoder {
  /// Whether a sentence of that time speaks of the epoch at hand, after beginning a new one if it must.
  mutating func joins(
    _ time: Duration, as voice: Epoch.Voices, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    let stands = epoch.time == time && isAnotherRound(voice, sentence)
    if epoch.time == time, !stands {
      if isOver {
        // It came after all: this receiver pauses for longer within an epoch.
        doublings = min(doublings + 1, Self.mostDoublings)
        isOver = false
      }
      epoch.hear(voice)
      return true
    }
    if isStraggler(time, voice) { return false }
    begin(time, as: voice, sentence, &readings)
    epoch.isStanding = stands
    return true
  }

  /// The same of a sentence that may have no time: without a place either, it ends the epoch at hand.
  mutating func joins(
    _ time: Duration?, as voice: Epoch.Voices, isPlace: Bool, _ sentence: Sentence,
    _ readings: inout [Reading]
  ) -> Bool {
    if let time { return joins(time, as: voice, sentence, &readings) }
    if isPlace { return joinsTimeless(as: voice, sentence, &readings) }
    send(sentence.now, &readings)
    return false
  }

  /// Whether a sentence with a place and no time speaks of the epoch at hand, after beginning a new
  /// one if it must. Beside sentences that say a time it is nothing by itself.
  private mutating func joinsTimeless(
    as voice: Epoch.Voices, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    guard options.live else { return false }
    if epoch.isTimeless {
      if !isOver, !epoch.said.contains(voice) {
        epoch.hear(voice)
        return true
      }
      timelessEpochs += 1
    } else {
      if epoch.isBegun, sentence.now.boottime - epoch.begun < Self.timelessSilence { return false }
      timelessEpochs = 1
    }
    begin(Epoch.timeless, as: voice, sentence, &readings)
    return true
  }

  private mutating func begin(
    _ time: Duration, as voice: Epoch.Voices, _ sentence: Sentence, _ readings: inout [Reading]
  ) {
    send(sentence.now, &readings)
    recent.add(epoch)
    let passed = time - epoch.time
    if passed > .zero, passed <= Self.longestInterval { interval = passed }
    epoch = Epoch(time: time, heard: heard)
    epoch.begun = sentence.now.boottime
    epoch.hear(voice)
    if let leading { epoch.setMotion(speed: leading.speed, course: leading.course, byRMC: false) }
    leading = nil
    if let ahead, ahead.time == time { epoch.errors = ahead.errors }
    isSent = false
    isOver = false
    sky.begin(interval: interval)
    counters.epochs &+= 1
    end.begin(with: sentence.address)
  }

  /// Whether what was said of this time is said again, when it must have been another by now.
  private func isAnotherRound(_ voice: Epoch.Voices, _ sentence: Sentence) -> Bool {
    guard options.live, epoch.said.contains(voice) else { return false }
    if epoch.isStanding, end.first == sentence.address { return true }
    return sentence.now.boottime - epoch.begun >= Self.longestTick
  }

  /// Whether a sentence comes too late for its epoch, of which it would make a second fix.
  /// A sentence that the epoch has already is no straggler but another round, as of a short recording
  /// that is played again and again.
  private func isStraggler(_ time: Duration, _ voice: Epoch.Voices) -> Bool {
    var behind = epoch.time - time
    if behind + ReceiverClock.halfDay < .zero { behind += ReceiverClock.day }
    guard behind > .zero, behind <= Self.longestInterval, let said = recent.said(at: time) else {
      return false
    }
    return behind < .seconds(1) || !said.contains(voice)
  }

  /// Errors of the epoch at hand, or of the one that they lead: they begin none by themselves.
  mutating func add(
    _ errors: StatedErrors, at time: Duration, _ sentence: Sentence, _ readings: inout [Reading]
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
      if epoch.isStanding { counters.standing &+= 1 }
      if epoch.isTimeless { counters.timeless &+= 1 }
      readings.append(.fix(fix(at: place.coordinate, moment)))
    } else if options.live {
      counters.undated &+= 1
    } else {
      undated.append(fix(at: place.coordinate, Timestamp.epoch + epoch.time))
      if undated.count == Self.mostUndated { release(before: nil, into: &readings) }
    }
  }

  /// When an epoch was. Where the receiver's clock stands still, this machine's says how long.
  private mutating func moment(_ now: Instant) -> Timestamp? {
    if epoch.isTimeless {
      // The first may be one of a receiver that says a time now and then.
      guard timelessEpochs > 1 else { return nil }
      return now.utc + (epoch.begun - now.boottime)
    }
    if epoch.isStanding, let (moment, begun) = stood {
      return moment + (epoch.begun - begun)
    }
    guard let moment = saidMoment(now) else { return nil }
    stood = (moment, epoch.begun)
    return moment
  }

  /// By the epoch's own date, else nearest to the last known, else to the system's clock.
  private mutating func saidMoment(_ now: Instant) -> Timestamp? {
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
    let first = Timestamp(day: options.dateless) + (undated[0].location.timestamp - .epoch)
    var moment = next ?? first
    let order = next == nil ? Array(undated.indices) : undated.indices.reversed()
    for i in order {
      moment = ReceiverClock.nearest(
        time: undated[i].location.timestamp - .epoch, to: moment)
      undated[i].location.timestamp = moment
    }
    if next == nil { clock.start(at: moment) }
    counters.fixes &+= Int64(undated.count)
    for fix in undated { readings.append(.fix(fix)) }
    undated.removeAll()
  }
}

/// Gives times of day their days.
struct ReceiverClock {
  /// The newest moment that is sure, from a date or by nearness to one.
  private(set) var last: Timestamp?
  /// On the boot clock, when it was heard.
  private var heard: Boottime = .start
  /// Whether the receiver ever said a date.
  private var isDated = false

  static let day: Duration = .seconds(86_400)
  static let halfDay: Duration = .seconds(43_200)
  private static let hour: Duration = .seconds(3600)
  /// After 1024 weeks a receiver's count of weeks begins anew.
  private static let rollover = 1024 * 7

  /// The beginning of 2025, before this program was written: a clock that shows less was not set since
  /// the machine started, and a receiver that says less has lost weeks.
  static var earliest: Timestamp { Timestamp(microseconds: 1_735_689_600_000_000) }

  /// The moment of a day and a time that a receiver says together.
  /// Some turn the date a while after midnight: time that wraps goes on, though the date does not.
  @discardableResult
  mutating func set(day: Int, time: Duration, heard: Boottime) -> Timestamp {
    var result = Timestamp(day: day) + time
    if let last, time < Self.hour, (.zero..<Self.hour).contains(result + Self.day - last) {
      result = result + Self.day
    }
    last = result
    self.heard = heard
    isDated = true
    return result
  }

  /// The moment of that time which is nearest to what the receiver's clock must show by now; without
  /// a date from it, nearest to the guess.
  mutating func moment(time: Duration, heard: Boottime, live: Bool, guess: Timestamp?) -> Timestamp?
  {
    let known = live ? last.map { $0 + (heard - self.heard) } : last
    guard let reference = isDated ? known : guess ?? known else { return nil }
    let result = Self.nearest(time: time, to: reference)
    last = result
    self.heard = heard
    return result
  }

  mutating func start(at moment: Timestamp) { last = moment }

  /// However often the time of day goes round, the date stays a plausible one.
  static func nearest(time: Duration, to moment: Timestamp) -> Timestamp {
    let sameDay = Timestamp(day: moment.dayNumber) + time
    var result = sameDay
    if sameDay - moment > halfDay { result = sameDay - day }
    if moment - sameDay > halfDay { result = sameDay + day }
    return result.isPlausible ? result : moment
  }

  /// The day with as many rollovers put back as keep it from lying in the future.
  static func repaired(day: Int, today: Int) -> Int {
    let behind = today + 1 - day
    return behind < rollover ? day : day + behind / rollover * rollover
  }

  /// The day with as few rollovers put back as bring it to the earliest one that is possible.
  static func repaired(day: Int, notBefore earliest: Int) -> Int {
    day + max(0, earliest - day + rollover - 1) / rollover * rollover
  }
}
