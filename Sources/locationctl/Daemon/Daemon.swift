import Console
import Glibc
import LocationClient
import LocationModel

typealias Daemon = Client<Request>

extension Client<Request> {
  init(at path: String) throws(Failure) { try self.init(.daemon, at: path) }

  /// Says who asks. Where nobody has decided yet, a person is asked.
  func introduce(_ name: String) throws(Failure) {
    if try greet(name) { try askPerson() }
  }

  /// Says who asks. True where a person may be asked for that level.
  func greet(
    _ name: String, for level: Authorization = .authorizedWhenInUse
  ) throws(Failure) -> Bool {
    let authorization = try ask(.hello(.init(name: name))).greeting?.authorization
    return authorization == .notDetermined
      || level == .authorizedAlways && authorization == .authorizedWhenInUse
  }

  /// Has the person asked; not for a program in the background, which would use what the person allows to
  /// locationctl.
  private func askPerson(for level: Authorization = .authorizedWhenInUse) throws(Failure) {
    // To ask for the location itself is refused at once, with what an administrator could do.
    guard let terminal = Terminal.inForeground else {
      if level == .authorizedWhenInUse { try ask(.location) }
      return
    }
    defer { close(terminal) }
    var agent = TerminalAgent(about: getpid(), reading: terminal, in: Speech(UserLocale.tag)) {
      Output.write($0, to: terminal)
    }
    // The desktop asks, or another terminal; else this one.
    let second = try Daemon(at: path)
    let isOurs = (try? agent.begin(second)) != nil
    guard isOurs else {
      try ask(.requestAuthorization(level), seconds: 300)
      return
    }
    let number = try send(.requestAuthorization(level))
    Interrupts.begin()
    while true {
      for message in try receive() {
        if case .reply(number, let result) = message {
          _ = try get(result.mapError(ClientError.refused))
          return
        }
        if case .farewell(let refusal) = message { throw Failure(refusal) }
      }
      guard try agent.turn(or: connection.descriptor) else {
        throw Failure(.denied, "nobody has said whether locationctl may know the location")
      }
    }
  }

  /// The same; gives the refusal, if it is one.
  func tryToAskPerson(for level: Authorization) throws(Failure) -> Failure? {
    do throws(Failure) {
      try askPerson(for: level)
      return nil
    } catch {
      guard error.code == .denied else { throw error }
      return error
    }
  }

  func send(_ request: Request) throws(Failure) -> Int64 {
    do throws(ConnectionError) { return try connection.send(request) } catch {
      throw Failure(error, at: path)
    }
  }

  func send(_ answer: ClientAnswer) throws(Failure) {
    do throws(ConnectionError) { try connection.send(answer) } catch {
      throw Failure(error, at: path)
    }
  }

  func receive() throws(Failure) -> [Message] {
    do throws(ConnectionError) { return try connection.receive() } catch {
      throw Failure(error, at: path)
    }
  }
}
