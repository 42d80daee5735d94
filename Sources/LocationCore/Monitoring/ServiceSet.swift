import LocationModel

/// Some of the services, asked about with every fix.
struct ServiceSet: Equatable {
  private var bits: UInt8 = 0

  init() {}

  init(_ isIn: (Service) -> Bool) {
    for service in Service.allCases where isIn(service) { insert(service) }
  }

  var isEmpty: Bool { bits == 0 }
  func contains(_ service: Service) -> Bool { bits & service.bit != 0 }
  /// Nothing is in it but perhaps this.
  func isOnly(_ service: Service) -> Bool { bits & ~service.bit == 0 }
  mutating func insert(_ service: Service) { bits |= service.bit }
  mutating func remove(_ service: Service) { bits &= ~service.bit }
  mutating func formUnion(_ others: Self) { bits |= others.bits }
  func union(_ others: Self) -> Self { Self(bits: bits | others.bits) }
  func intersection(_ others: Self) -> Self { Self(bits: bits & others.bits) }

  private init(bits: UInt8) { self.bits = bits }
}

extension Service {
  fileprivate var bit: UInt8 {
    switch self {
    case .standard: 1
    case .significant: 2
    case .visits: 4
    case .regions: 8
    case .heading: 16
    case .beacons: 32
    }
  }
}
