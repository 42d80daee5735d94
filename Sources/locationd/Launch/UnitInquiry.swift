import DBus
import LocationCore
import LocationModel

/// Asks the system's service manager about services, each by a few calls.
final class UnitInquiry {
  private final class Question {
    var call: BusCall?
    var unit: UnitState.Properties?
    /// Sockets, timers and paths that are still to be asked about, and those that were.
    var left: [String] = []
    var triggers: [UnitState.Properties] = []
  }

  private let bus: BusConnection?
  private var questions: [String: Question] = [:]

  private static let manager = "org.freedesktop.systemd1"
  private static let mostTriggers = 16

  /// Nil where there is no system's bus.
  init(on bus: BusConnection?) { self.bus = bus }

  /// Tells once; nil where nobody could say. A unit that is being asked about is not asked about again.
  func ask(_ unit: String, completion: @escaping (UnitState?) -> Void) {
    guard let bus else { return completion(nil) }
    guard questions[unit] == nil else { return }
    questions[unit] = Question()
    // As the daemon starts, the bus has not taken it in yet.
    bus.whenKnown { [weak self] in self?.load(unit, for: unit, completion) }
  }

  private func load(_ name: String, for unit: String, _ completion: @escaping (UnitState?) -> Void)
  {
    let path = "/" + Self.manager.replacingText(".", by: "/")
    call(path, "\(Self.manager).Manager", "LoadUnit", name, of: unit) { [unowned self] answer in
      guard let path = answer?.asString else { return end(unit, completion) }
      call(path, "org.freedesktop.DBus.Properties", "GetAll", "\(Self.manager).Unit", of: unit) {
        [unowned self] answer in
        add(answer?.asDictionary ?? [:], to: unit)
        next(of: unit, completion)
      }
    }
  }

  private func add(_ properties: [String: BusValue], to unit: String) {
    guard let question = questions[unit], let read = UnitState.Properties(properties) else {
      return
    }
    if question.unit == nil {
      question.unit = read
      question.left = Array(properties.strings("TriggeredBy").prefix(Self.mostTriggers))
    } else {
      question.triggers.append(read)
    }
  }

  private func next(of unit: String, _ completion: @escaping (UnitState?) -> Void) {
    guard let question = questions[unit], let trigger = question.left.popLast() else {
      return end(unit, completion)
    }
    load(trigger, for: unit, completion)
  }

  private func end(_ unit: String, _ completion: (UnitState?) -> Void) {
    let question = questions.removeValue(forKey: unit)
    completion(question?.unit.map { UnitState($0, triggers: question?.triggers ?? []) })
  }

  private func call(
    _ path: String, _ interface: String, _ member: String, _ argument: String, of unit: String,
    completion: @escaping (BusValue?) -> Void
  ) {
    questions[unit]?.call = bus?.call(
      Self.manager, path, interface, member, [.string(argument)]
    ) { completion((try? $0.get())?.first) }
  }
}

extension UnitState.Properties {
  /// Nil for what is no unit's.
  fileprivate init?(_ properties: [String: BusValue]) {
    guard let loadState = properties["LoadState"]?.asString,
      let activeState = properties["ActiveState"]?.asString,
      let fileState = properties["UnitFileState"]?.asString
    else { return nil }
    self.init(
      loadState: loadState, activeState: activeState, fileState: fileState,
      wantedBy: ["WantedBy", "RequiredBy", "BoundBy", "UpheldBy"].flatMap(properties.strings))
  }
}

extension [String: BusValue] {
  fileprivate func strings(_ name: String) -> [String] {
    self[name]?.asArray?.compactMap(\.asString) ?? []
  }
}
