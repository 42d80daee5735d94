internal import LocationModel

/// The subscribers of the device's topic, as a broker tells of them by MQTT 5. A message that nobody has subscribed to and
/// that is not retained is thrown away: mosquitto, for one, forgets over a restart who shares a subscription, until they
/// are back.
///
/// A broker may hand messages on without a subscriber, by rules of its own. So somebody must have been there before, and
/// is waited for so long at most.
struct Audience: Equatable, Sendable {
  private(set) var wasThere = false
  private var goneSince: Boottime?

  static let longest: Duration = .seconds(86_400)

  init(wasThere: Bool = false) { self.wasThere = wasThere }

  mutating func hear() { (wasThere, goneSince) = (true, nil) }

  /// The answer that nobody is there; true where somebody is waited for.
  mutating func miss(at now: Boottime) -> Bool {
    guard wasThere else { return false }
    let since = goneSince ?? now
    goneSince = since
    if now - since >= Self.longest { self = Audience() }
    return wasThere
  }

  var members: [JSON.Member] { wasThere ? [.init(key: "heard", value: .bool(true))] : [] }
}
