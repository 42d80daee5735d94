import LocationCore
import LocationModel
import Platform

/// One client object: its owner's wishes, and what it waits for.
final class ClientObject {
  let id: ClientID
  let caller: BusCaller
  let path: String
  unowned let door: BusDoor
  private let introduction: Request.Introduction
  private var listener: BusListener?
  private(set) var object: BusObject?

  var wishes = StandardRequest()
  var isUpdating = false

  /// Questions under way, by the number they were given.
  private enum Question {
    case call(BusInvocation)
    /// What comes of it is told by signals.
    case location
    /// The answer is wanted before anything else happens.
    case now
  }
  private var questions: [Int64: Question] = [:]
  private var answeredNow: Reply?

  init(
    _ id: ClientID, of caller: BusCaller, at path: String, introduction: Request.Introduction,
    door: BusDoor
  ) throws(BusError) {
    self.id = id
    self.caller = caller
    self.path = path
    self.introduction = introduction
    self.door = door
    listener = BusListener(try BusRecipient(caller.name, of: path), on: door.bus) {
      [unowned self] in
      door.drop(self)
    }
    object = BusObject(path, owner: caller.name, target: self, [Client1.interface])
  }

  func tell(_ signal: BusSignal, kind: Int? = nil) throws(BusError) {
    try listener?.send(signal, kind: kind)
  }

  func purge() { listener?.purge() }
}

// MARK: - Questions

extension ClientObject {
  /// Without anybody waiting for an answer.
  func ask(_ request: Request) { door.post(id, request, nil) }

  /// The call is answered when the request is.
  func ask(_ request: Request, for call: BusInvocation) { ask(request, .call(call)) }

  /// The call is answered at once, unless the request is refused at once.
  func askForLocation(_ request: OneShotRequest, for call: BusInvocation) throws(BusError) {
    let number = door.nextQuestion()
    answeredNow = nil
    questions[number] = .call(call)
    door.post(id, .requestLocation(request), .integer(number))
    guard case .call = questions[number] else {
      // Answered already: with the location that is at hand, which is told, or a refusal.
      return
    }
    questions[number] = .location
    call.answer([])
  }

  /// What can be answered without waiting for anything.
  func know(_ request: Request) -> Reply? {
    answeredNow = nil
    ask(request, .now)
    defer { answeredNow = nil }
    return answeredNow
  }

  var greeting: Greeting? {
    if case .hello(let greeting) = know(.hello(introduction)) { greeting } else { nil }
  }

  var location: Location? {
    if case .location(let location) = know(.location) { location } else { nil }
  }

  private func ask(_ request: Request, _ question: Question) {
    let number = door.nextQuestion()
    questions[number] = question
    door.post(id, request, .integer(number))
  }

  func take(_ reply: Reply, to id: JSON) {
    guard let number = id.integer, let question = questions.removeValue(forKey: number) else {
      return
    }
    switch question {
    case .now: answeredNow = reply
    case .call(let call):
      call.answer([])
      if case .location(let location?) = reply { tell(location) }
    case .location: if case .location(let location?) = reply { tell(location) }
    }
  }

  func take(_ refusal: Refusal, to id: JSON) {
    guard let number = id.integer, let question = questions.removeValue(forKey: number) else {
      return
    }
    switch question {
    case .now: break
    case .call(let call): call.refuse(BusError(refusal))
    case .location: tell(.didFail(refusal))
    }
  }

  private func tell(_ location: Location) { tell(.didUpdateLocations(location, .standard)) }

  private func tell(_ event: Event) {
    if let signal = try? Client1.signal(event) { try? tell(signal) }
  }
}
