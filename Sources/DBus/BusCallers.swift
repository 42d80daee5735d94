/// The callers on the bus: each is identified once, when it asks for something, and forgotten when it has gone.
package final class BusCallers<Caller> {
  package typealias Answer = Result<Caller, BusError>

  private final class Entry {
    var known: Caller?
    var waiting: [(Answer) -> Void] = []
    var question: AnyObject?
    var end: BusPeer?
  }

  package let bus: BusConnection
  private let question: (String, @escaping (Answer) -> Void) throws(BusError) -> AnyObject
  private var entries: [String: Entry] = [:]
  /// Told of each who has gone and was known.
  package var gone: [(Caller) -> Void] = []

  /// Calls of one that is being identified.
  private var mostWaiting: Int { 64 }

  /// `question`: finds out later, never at once, who has a unique name, unless what it gives is let go of.
  package init(
    on bus: BusConnection,
    _ question: @escaping (String, @escaping (Answer) -> Void) throws(BusError) -> AnyObject
  ) {
    self.bus = bus
    self.question = question
  }

  /// Tells who it is, at once where that is known.
  package func identify(_ name: String, completion: @escaping (Answer) -> Void) {
    if let entry = entries[name] {
      if let known = entry.known { return completion(.success(known)) }
      guard entry.waiting.count < mostWaiting else {
        return completion(
          .failure(.limitsExceeded("too many calls before it is known who you are")))
      }
      return entry.waiting.append(completion)
    }
    let entry = Entry()
    do throws(BusError) {
      entry.end = try bus.awaitEnd(of: name) { [unowned self] in end(name) }
      entry.question = try question(name) { [unowned self] in learn(name, $0) }
    } catch {
      return completion(.failure(error))
    }
    entry.waiting = [completion]
    entries[name] = entry
  }

  private func learn(_ name: String, _ answer: Answer) {
    guard let entry = entries[name] else { return }
    entry.question = nil
    entry.known = try? answer.get()
    if entry.known == nil { entries[name] = nil }
    let waiting = entry.waiting
    entry.waiting = []
    for completion in waiting { completion(answer) }
  }

  private func end(_ name: String) {
    guard let entry = entries.removeValue(forKey: name) else { return }
    for completion in entry.waiting { completion(.failure(.disconnected("\(name) has gone"))) }
    guard let known = entry.known else { return }
    for completion in gone { completion(known) }
  }
}
