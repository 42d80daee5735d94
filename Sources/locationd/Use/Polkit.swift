import DBus
import LocationCore
import Platform

/// Asks polkit, where it runs, whether somebody may change the permissions of their own programs, or what holds
/// for the whole machine; where it does not, the members of a group may change all.
final class Polkit {
  enum Action: String {
    case permissions = "org.locationd.manage-permissions"
    case machine = "org.locationd.manage-machine"

    fileprivate var consent: Consent { self == .machine ? .all : .own }
  }

  private let bus: BusConnection?
  /// The body is called for each question once; at once where no polkit can be asked.
  private let answer: (Int64, Consent) -> Void
  private var questions: [Int64: BusCall] = [:]

  private static let name = "org.freedesktop.PolicyKit1"
  private static let group = "locationd-admin"
  /// Milliseconds for somebody to type a password.
  private static let patience: Int32 = 180_000

  init(on bus: BusConnection?, answer: @escaping (Int64, Consent) -> Void) {
    self.bus = bus
    self.answer = answer
  }

  func ask(_ number: Int64, about caller: Caller, _ action: Action = .permissions) {
    ask(number, about: caller, action, asksPerson: true) { [unowned self] in answer(number, $0) }
  }

  private func ask(
    _ number: Int64, about caller: Caller, _ action: Action, asksPerson: Bool,
    completion: @escaping (Consent) -> Void
  ) {
    guard let bus, bus.uniqueName != nil, let start = Process.startTime(of: caller.pid) else {
      return completion(byGroup(caller))
    }
    questions[number] = bus.call(
      Self.name, "/org/freedesktop/PolicyKit1/Authority", Self.name + ".Authority",
      "CheckAuthorization",
      [
        .structure([
          .string("unix-process"),
          .dictionary([
            "pid": .uint32(UInt32(bitPattern: caller.pid)), "start-time": .uint64(start),
            "uid": .int32(Int32(bitPattern: caller.uid)),
          ]),
        ]), .string(action.rawValue), .array(of: "{ss}", []),
        // The person may be asked for their password.
        .uint32(asksPerson ? 1 : 0), .string(""),
      ], patience: Self.patience
    ) { [unowned self] answer in
      questions[number] = nil
      switch answer {
      case .success(let values):
        guard case .structure(let result)? = values.first else { return completion(.none) }
        completion(result.first == .bool(true) ? action.consent : .none)
      case .failure(let error):
        // There is none; any other error is no consent.
        let isAway = ["ServiceUnknown", "NameHasNoOwner", "Disconnected"]
          .contains { error.name.hasSuffix($0) }
        completion(isAway ? byGroup(caller) : .none)
      }
    }
  }

  /// Polkit is not asked about anybody else: it does not decide who reads of their own programs.
  func authorizeAdmins(_ number: Int64, about caller: Caller) {
    guard byGroup(caller) == .all else { return answer(number, .own) }
    ask(number, about: caller, .permissions, asksPerson: false) { [unowned self] in
      answer(number, $0 == .all ? .all : .own)
    }
  }

  private func byGroup(_ caller: Caller) -> Consent {
    Accounts().members(of: Self.group)?.contains(caller.uid) == true ? .all : .none
  }
}
