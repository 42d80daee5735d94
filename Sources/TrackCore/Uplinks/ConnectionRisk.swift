internal import LocationModel

/// The risk of being connected to a broker. By MQTT 3.1.1 over TLS nothing tells how long a message is before
/// all of it is there, and one that is too long for the memory ends the program: at every start, where it is
/// retained. A mark stands on the disk while there is such a connection.
///
/// Two deaths in a row under the mark leave the subscription out for an hour, four the uplink. A message
/// that is known to have been too long leaves the subscription out, too.
struct ConnectionRisk: Equatable, Sendable {
  enum Restriction: Equatable, Sendable {
    case subscription, uplink
  }

  /// Deaths since the program has been connected for an hour.
  private(set) var deaths = 0
  private(set) var longMessages: Int64 = 0
  /// The restriction ends.
  private(set) var until: Boottime?
  /// When the connection began that there is; on the disk, the mark.
  private var mark: Boottime?
  /// How long the program has been connected since it last died.
  private var survived: Duration = .zero

  static let deathsBeforeSubscription = 2
  static let deathsBeforeUplink = 4
  static let pause: Duration = .seconds(3600)

  init() {}

  /// The restriction that holds now. One that ends leaves a suspicion: the next death restricts again.
  mutating func restriction(at now: Boottime) -> Restriction? {
    guard var end = until else { return nil }
    // The machine was started anew meanwhile, and its clock with it.
    end = min(end, now + Self.pause)
    until = end
    if end <= now {
      if deaths >= Self.deathsBeforeUplink {
        deaths = Self.deathsBeforeUplink - 1
        until = now + Self.pause
      } else {
        deaths = min(deaths, Self.deathsBeforeSubscription - 1)
        until = nil
      }
    }
    guard until != nil else { return nil }
    return deaths >= Self.deathsBeforeUplink ? .uplink : .subscription
  }

  mutating func begin(at now: Boottime) { mark = now }

  mutating func end(at now: Boottime) {
    guard let mark else { return }
    self.mark = nil
    survived = survived + max(now - mark, .zero)
    guard survived >= Self.pause else { return }
    survived = .zero
    if until == nil { deaths = 0 }
  }

  mutating func countLongMessage(whileSubscribed: Bool, at now: Boottime) {
    longMessages += 1
    if whileSubscribed { until = now + Self.pause }
  }

  private mutating func die(at now: Boottime) {
    deaths = min(deaths + 1, Self.deathsBeforeUplink)
    survived = .zero
    if deaths >= Self.deathsBeforeSubscription { until = now + Self.pause }
  }
}

// MARK: - On the disk

extension ConnectionRisk {
  var members: [JSON.Member] {
    let numbers: [(String, Int64?)] = [
      ("deaths", Int64(deaths)), ("long", longMessages), ("until", until?.nanoseconds),
      ("mark", mark?.nanoseconds), ("survived", survived.nanoseconds),
    ]
    return numbers.compactMap { name, number in
      number.flatMap { $0 == 0 ? nil : .init(key: name, value: .integer($0)) }
    }
  }

  init(_ json: JSON, at now: Boottime) {
    func number(_ name: String) -> Int64? { json[name]?.integer.flatMap { $0 < 0 ? nil : $0 } }
    deaths = Int(min(number("deaths") ?? 0, Int64(Self.deathsBeforeUplink)))
    longMessages = number("long") ?? 0
    until = number("until").map(Boottime.init(nanoseconds:))
    survived = .nanoseconds(number("survived") ?? 0)
    // A later mark is of an earlier start of the machine: its power was cut.
    if let mark = number("mark"), mark <= now.nanoseconds { die(at: now) }
  }
}
