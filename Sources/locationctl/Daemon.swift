import Console
import Glibc
import LocationClient
import LocationModel

/// The daemon, with its errors as ours.
struct Daemon {
  let connection: Connection

  init(at path: String) throws(Failure) {
    do throws(ConnectionError) {
      connection = try Connection(path: path)
    } catch {
      throw Failure(error)
    }
  }

  func ask(_ request: Request, seconds: Double = 10) throws(Failure) -> JSON {
    let result: Result<JSON, Refusal>
    do throws(ConnectionError) {
      result = try connection.ask(request, seconds: seconds)
    } catch {
      throw Failure(error)
    }
    return try get(result)
  }

  /// Says who asks. Where nobody has decided yet, a person is asked; not for a program in the
  /// background, which would use what the person allows to locationctl.
  func introduce(_ name: String) throws(Failure) {
    guard let request = try askedFirst(name) else { return }
    _ = try ask(request, seconds: 300)
  }

  /// Says who asks; gives what is to be asked before anything else.
  func askedFirst(_ name: String) throws(Failure) -> Request? {
    let greeting = try ask(.hello(.init(name: name)))
    guard greeting["authorization"]?.string == Authorization.notDetermined.rawValue else {
      return nil
    }
    // To ask for the location itself is refused at once, with what an administrator could do.
    return Terminal.isInForeground ? .requestAuthorization(.authorizedWhenInUse) : .location
  }

  func send(_ request: Request) throws(Failure) -> Int64 {
    do throws(ConnectionError) { return try connection.send(request) } catch {
      throw Failure(error)
    }
  }

  func receive() throws(Failure) -> [Message] {
    do throws(ConnectionError) { return try connection.receive() } catch { throw Failure(error) }
  }

  /// Waits until there is something to receive; true if a signal came that is to end the program.
  func wait(or interrupts: Int32, milliseconds: Int32) -> Bool {
    var ready = [
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interrupts, events: Int16(POLLIN), revents: 0),
    ]
    poll(&ready, 2, milliseconds)
    return ready[1].revents != 0 && Interrupts.readEnding()
  }

  /// Waits until there is something to receive, or the time is up.
  func wait(milliseconds: Int32) {
    var ready = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&ready, 1, milliseconds)
  }

  func get(_ result: Result<JSON, Refusal>) throws(Failure) -> JSON {
    switch result {
    case .success(let json): return json
    case .failure(let refusal): throw Failure(refusal)
    }
  }
}
