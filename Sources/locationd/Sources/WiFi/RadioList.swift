import DBus
import LocationModel

/// The reports of radios.
enum RadioReport {
  /// A radio is there that can hear.
  case found
  /// No radio can hear; the text says why.
  case none(String)
  case scan(NetworkScan)
  /// A scan is made, or refused to us.
  case answer(isGranted: Bool)
}

/// A device that may be a radio.
protocol RadioDevice: AnyObject {
  /// All that follows is known, and the list of its last scan is told.
  var isKnown: Bool { get }
  var isRadio: Bool { get }
  var interface: String { get }
  /// The reason why the radio cannot hear; nil where it can.
  var whyDeaf: String? { get }
  /// Asks for a scan, and tells later whether one is made.
  func scan(_ completion: @escaping (Result<[BusValue], BusError>) -> Void) -> BusCall
}

/// The radios of one service, by their objects' paths.
final class RadioList {
  /// The interface whose radio counts; nil for all.
  private let wanted: String?
  let report: (RadioReport) -> Void
  private var devices: [String: any RadioDevice] = [:]
  private var calls: [String: BusCall] = [:]
  private(set) var isRefused = false
  /// The last report; the reason is nil where a radio can hear.
  private var reported: String??

  init(_ wanted: String?, report: @escaping (RadioReport) -> Void) {
    self.wanted = wanted
    self.report = report
  }

  /// The interfaces of radios that can hear.
  var interfaces: [String] { able.map(\.value.interface).sorted() }

  private var radios: [String: any RadioDevice] {
    devices.filter { $1.isRadio && (wanted == nil || wanted == $1.interface) }
  }

  private var able: [String: any RadioDevice] { radios.filter { $1.whyDeaf == nil } }

  func clear() {
    devices = [:]
    calls = [:]
    reported = nil
  }

  /// The paths of all that the service has.
  func fill(_ paths: [BusValue]?, _ make: (String) -> any RadioDevice) {
    for path in paths ?? [] {
      if let path = path.asString { add(path, make) }
    }
    review()
  }

  /// A signal of the service's tells that an object of that kind has come or gone.
  func follow(_ signal: BusMessage, of kind: String, _ make: (String) -> any RadioDevice) {
    guard let path = (try? signal.arguments())?.first?.asString else { return }
    switch signal.member {
    case kind + "Added": add(path, make)
    case kind + "Removed": remove(path)
    default: break
    }
  }

  private func add(_ path: String, _ make: (String) -> any RadioDevice) {
    guard devices.count < BusGathering.most, devices[path] == nil else { return }
    devices[path] = make(path)
  }

  private func remove(_ path: String) {
    devices[path] = nil
    calls[path] = nil
    review()
  }

  /// Tells where radios have come or gone, or none can hear for another reason.
  func review() {
    guard devices.values.allSatisfy(\.isKnown) else { return }
    let reason = able.isEmpty ? whyNone : nil
    guard reported != .some(reason) else { return }
    reported = .some(reason)
    report(reason.map(RadioReport.none) ?? .found)
  }

  private var whyNone: String {
    radios.min { $0.key < $1.key }?.value.whyDeaf ?? wanted.map { "there is no Wi-Fi radio \($0)" }
      ?? "this machine has no Wi-Fi radio"
  }

  func scan() {
    for (path, radio) in able {
      calls[path] = radio.scan { [unowned self] in
        calls[path] = nil
        hear($0)
      }
    }
  }

  private func hear(_ answer: Result<[BusValue], BusError>) {
    if case .failure(let error) = answer {
      // Other refusals are for now: the radio scans already, or goes off.
      guard Self.refusals.contains(where: error.name.hasSuffix) else { return }
      isRefused = true
    } else {
      isRefused = false
    }
    report(.answer(isGranted: !isRefused))
  }

  private static let refusals = ["PermissionDenied", "AccessDenied", "NotAuthorized"]
}

/// The properties of many objects, asked for together.
final class BusGathering {
  /// More radios or networks than that are nobody's.
  static let most = 256

  private var calls: [String: BusCall] = [:]
  private var found: [[String: BusValue]] = []

  /// Tells once all have answered; what has gone meanwhile is left out.
  init(
    _ interface: String, of paths: [String], by service: String, on bus: BusConnection,
    completion: @escaping ([[String: BusValue]]) -> Void
  ) {
    let paths = Set(paths.prefix(Self.most))
    for path in paths {
      calls[path] = bus.properties(of: interface, at: path, by: service, starts: false) {
        [unowned self] in
        if let properties = try? $0.get() { found.append(properties) }
        calls[path] = nil
        if calls.isEmpty { completion(found) }
      }
    }
    if paths.isEmpty { completion([]) }
  }
}
