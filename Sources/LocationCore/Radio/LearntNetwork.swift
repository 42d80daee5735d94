/// A network, and where it was heard. It takes forty bytes, since there may be 50,000.
///
/// * A network stands for a place when it was heard there `enough` times, and nowhere else since.
/// * Heard too far from its place, it has a second place, and stands for none. Heard there on
///   `daysOfMove` days and not at the first, it has moved. Heard at the first again, it was there
///   all the time, and a fix was wrong. Either happens once.
/// * With a third place, or another time, it travels, and stands for no place before it has stayed
///   at one for `daysOfTravel` days.
struct LearntNetwork: Equatable, Sendable {
  /// The salted hash of its address.
  let id: UInt64
  var place: PackedPlace
  /// Where it was heard, if that is too far from its place.
  var second: PackedPlace
  /// How much its place rests on.
  var weight: Float
  /// When it was heard last, in days since 1970.
  var day: UInt16
  var secondDay: UInt16 = 0
  /// The day on which it has stayed long enough; 0 for a network that does not travel.
  var travelsUntil: UInt16 = 0
  /// The days on which it was heard at the second place.
  var secondDays: UInt8 = 0
  var hearings: UInt8 = 1
  /// The network has moved, or came back, once.
  var wasElsewhere = false
  /// The disk has this row.
  var isWritten = false

  /// The network was heard where the machine's place is known.
  struct Hearing {
    var place: PackedPlace
    var accuracy: Double
    var strength: Double
    var day: UInt16
  }

  init(id: UInt64, _ hearing: Hearing) {
    self.id = id
    place = hearing.place
    second = hearing.place
    weight = Float(hearing.strength)
    day = hearing.day
  }

  var standsForPlace: Bool { hearings >= Self.enough && secondDays == 0 && travelsUntil == 0 }

  mutating func hear(_ hearing: Hearing) {
    let farthest = Self.farthest + 2 * hearing.accuracy
    let isHere = place.distance(to: hearing.place) <= farthest
    day = max(day, hearing.day)
    isWritten = false
    if travelsUntil != 0 {
      if travelsUntil <= hearing.day {
        self = LearntNetwork(id: id, hearing)
      } else if !isHere {
        travel(to: hearing)
      }
    } else if secondDays == 0 {
      if isHere { add(hearing) } else { hearElsewhere(hearing) }
    } else if second.distance(to: hearing.place) <= farthest {
      if hearing.day > secondDay { hearElsewhere(hearing) }
    } else if isHere, !wasElsewhere {
      wasElsewhere = true
      secondDays = 0
    } else {
      travel(to: hearing)
    }
  }

  private mutating func add(_ hearing: Hearing) {
    let strength = Float(hearing.strength)
    place = place.moved(by: Double(strength / (weight + strength)), towards: hearing.place)
    weight = min(weight + strength, Self.mostWeight)
    if hearings < .max { hearings += 1 }
  }

  private mutating func hearElsewhere(_ hearing: Hearing) {
    second = hearing.place
    secondDay = hearing.day
    secondDays += 1
    guard secondDays >= Self.daysOfMove else { return }
    if wasElsewhere { return travel(to: hearing) }
    self = LearntNetwork(id: id, hearing)
    wasElsewhere = true
  }

  private mutating func travel(to hearing: Hearing) {
    self = LearntNetwork(id: id, hearing)
    travelsUntil = hearing.day.addingReportingOverflow(Self.daysOfTravel).partialValue
  }

  /// Metres. A strong network is heard up to 300 m off.
  private static let farthest = 400.0
  private static let enough = 3
  private static let daysOfMove = 3
  private static let daysOfTravel: UInt16 = 90
  /// Places that are heard of later count, too.
  static let mostWeight: Float = 5000
}
