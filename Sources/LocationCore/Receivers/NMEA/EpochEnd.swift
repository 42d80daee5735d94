/// Learns which sentence a receiver ends its epochs with, so that a fix need not wait for the next.
///
/// Receivers that say less in some seconds than in others are told apart by the sentence that an
/// epoch begins with.
struct EpochEnd {
  /// A sentence, and the how many-th it is in a row of its own kind.
  private struct Mark: Equatable {
    var sentence: UInt64 = 0
    var row = 0
  }

  private struct Habit {
    var first: UInt64
    var last: Mark
    /// The first is believed at once, a change the second time.
    var isBelieved = true
    /// How the epoch before ended, if it said the last sentence more or less often than this: that is
    /// no news until it is said twice.
    var other: Mark?
  }

  private var habits: [Habit] = []
  /// The kind of sentence that began this epoch.
  private(set) var first: UInt64 = 0
  private var last = Mark()
  private var expected: Mark?

  private static let mostHabits = 8

  init() { habits.reserveCapacity(Self.mostHabits) }

  /// The line was lost: where it broke off, no epoch ended.
  mutating func breakOff() {
    first = 0
    last = Mark()
    expected = nil
  }

  /// A new epoch begins, thus the one before has ended; `note` follows for the same sentence.
  mutating func begin(with sentence: UInt64) {
    learn()
    first = sentence
    last = Mark()
    expected = habits.first { $0.first == sentence && $0.isBelieved }?.last
  }

  /// Whether the epoch ends with this sentence, as far as is known.
  mutating func note(_ sentence: UInt64) -> Bool {
    last = Mark(sentence: sentence, row: last.sentence == sentence ? last.row + 1 : 1)
    return last == expected
  }

  private mutating func learn() {
    guard first != 0 else { return }
    guard let i = habits.firstIndex(where: { $0.first == first }) else {
      if habits.count == Self.mostHabits { habits.removeFirst() }
      habits.append(Habit(first: first, last: last))
      return
    }
    if habits[i].last == last {
      habits[i].isBelieved = true
      habits[i].other = nil
    } else if habits[i].other == last {
      habits[i] = Habit(first: first, last: last)
    } else if habits[i].last.sentence == last.sentence {
      habits[i].other = last
    } else {
      habits[i] = Habit(first: first, last: last, isBelieved: false)
    }
  }
}
