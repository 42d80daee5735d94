import DBus
import LocationCore
import Platform

/// Somebody on the bus, and who that is.
final class BusCaller {
  /// Unique on this bus, and never given again.
  let name: String
  private(set) var caller: Caller
  fileprivate let user: BusUser
  fileprivate var clients = 0

  fileprivate init(_ name: String, _ caller: Caller, of user: BusUser) {
    self.name = name
    self.caller = caller
    self.user = user
  }

  /// Its user's agent has told it since.
  func rename(to caller: Caller) { self.caller = caller }
}

/// One user's part of the doors on the bus, all programs together.
private final class BusUser {
  var clients = 0
  /// How many of them are on the bus.
  var callers = 0
}

/// The callers on the bus: each is identified once, when it asks for something, and forgotten when it
/// has gone.
final class BusCallers {
  typealias Answer = Result<BusCaller, BusError>

  private final class Entry {
    var known: BusCaller?
    var waiting: [(Answer) -> Void] = []
    var question: BusIdentification?
    var end: BusPeer?
  }

  private let bus: BusConnection
  private let identifier: Identifier
  /// Clients that the programs of one user may have, all together; new limits hold for what comes.
  var clientsPerUser: Int
  private static let clientsPerCaller = 128
  /// Calls of one that is being identified.
  private static let mostWaiting = 64
  private var entries: [String: Entry] = [:]
  private var users: [UInt32: BusUser] = [:]
  /// Told of each who has gone and was known.
  var gone: [(BusCaller) -> Void] = []

  init(on bus: BusConnection, _ identifier: Identifier, clientsPerUser: Int) {
    self.bus = bus
    self.identifier = identifier
    self.clientsPerUser = clientsPerUser
  }

  /// Tells who it is, at once where that is known.
  func identify(_ name: String, completion: @escaping (Answer) -> Void) {
    if let entry = entries[name] {
      if let known = entry.known { return completion(.success(known)) }
      guard entry.waiting.count < Self.mostWaiting else {
        return completion(
          .failure(.limitsExceeded("too many calls before it is known who you are")))
      }
      return entry.waiting.append(completion)
    }
    let entry = Entry()
    do throws(BusError) {
      entry.end = try bus.awaitEnd(of: name) { [unowned self] in end(name) }
      entry.question = try identifier.identify(name, on: bus) { [unowned self] in
        learn(name, $0)
      }
    } catch {
      return completion(.failure(error))
    }
    entry.waiting = [completion]
    entries[name] = entry
  }

  private func learn(_ name: String, _ answer: Result<Caller, BusError>) {
    guard let entry = entries[name] else { return }
    entry.question = nil
    let result = answer.map { caller in
      let user = users[caller.uid] ?? BusUser()
      users[caller.uid] = user
      user.callers += 1
      return BusCaller(name, caller, of: user)
    }
    entry.known = try? result.get()
    if entry.known == nil { entries[name] = nil }
    let waiting = entry.waiting
    entry.waiting = []
    for completion in waiting { completion(result) }
  }

  private func end(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    for completion in entry.waiting { completion(.failure(.disconnected("\(name) has gone"))) }
    guard let known = entry.known else { return }
    for completion in gone { completion(known) }
    known.user.callers -= 1
    if known.user.callers == 0 { users[known.caller.uid] = nil }
  }

  /// Counts one client more. False where there are enough.
  func admit(_ caller: BusCaller) -> Bool {
    guard caller.clients < Self.clientsPerCaller, caller.user.clients < clientsPerUser else {
      return false
    }
    caller.clients += 1
    caller.user.clients += 1
    return true
  }

  func dismiss(_ caller: BusCaller) {
    caller.clients -= 1
    caller.user.clients -= 1
  }
}
