import Glibc
package import LocationModel

/// The service that knows places, for code that is called back. A few threads ask it while there are
/// requests; then the connections end with them, so that the service may leave.
package final class PlacesClient: Sendable {
  package typealias Answer = Result<JSON, Refusal>

  @TaskLocal package static var current = PlacesClient()

  /// All that the app begins by this client.
  package let geocoding = Guarded(RequestBudget())
  package let searches = Guarded(RequestBudget())
  package let directions = Guarded(RequestBudget())
  private let path: String
  /// Seconds until an answer is no longer waited for.
  private let patience: Double
  private let work = Guarded(Work())

  private struct Work {
    var waiting: [(request: PlaceRequest, reply: @Sendable (Answer) -> Void)] = []
    var threads = 0
  }

  private static let mostThreads = 4

  package static var defaultPath: String {
    SocketPath.named(by: "LOCATIOND_PLACES_SOCKET", else: "/run/locationd/places.sock")
  }

  package init(path: String = PlacesClient.defaultPath, patience: Double = 15) {
    self.path = path
    self.patience = patience
  }

  /// Asks. The answer is handed over on another thread.
  package func ask(_ request: PlaceRequest, then reply: @escaping @Sendable (Answer) -> Void) {
    let starts = work.withLock { work in
      work.waiting.append((request, reply))
      guard work.threads < Self.mostThreads else { return false }
      work.threads += 1
      return true
    }
    guard starts, ClientThread.start({ [self] in run() }) != 0 else { return }
    // Without a thread of its own, one that there is answers; else nobody does.
    let left = work.withLock { work in
      work.threads -= 1
      defer { if work.threads == 0 { work.waiting = [] } }
      return work.threads == 0 ? work.waiting : []
    }
    for (_, reply) in left {
      reply(.failure(Refusal(.network, "This program has no thread left to ask with.")))
    }
  }

  private func run() {
    var link: PlacesLink?
    while true {
      let next = work.withLock { work in
        if work.waiting.isEmpty { work.threads -= 1 }
        return work.waiting.isEmpty ? nil : work.waiting.removeFirst()
      }
      guard let next else { return }
      next.reply(answer(to: next.request, over: &link))
    }
  }

  private func answer(to request: PlaceRequest, over link: inout PlacesLink?) -> Answer {
    do throws(ConnectionError) {
      let open = if let link { link } else { try PlacesLink(path: path) }
      link = open
      return try open.ask(request, seconds: patience)
    } catch {
      // The next request is not to read the late answer to this one.
      link = nil
      return .failure(Refusal(.network, PlacesLink.message(error, path)))
    }
  }
}

/// The same for a program that waits.
package final class PlacesLink {
  private let connection: Connection

  package init(path: String = PlacesClient.defaultPath) throws(ConnectionError) {
    connection = try Connection(path: path)
  }

  package func ask(
    _ request: PlaceRequest, seconds: Double = 15
  ) throws(ConnectionError) -> Result<JSON, Refusal> {
    try connection.ask(request.method, request.parameters, seconds: seconds)
  }

  /// The error and its remedy, in a sentence.
  package static func message(_ error: ConnectionError, _ path: String) -> String {
    switch error {
    case .noDaemon(_, let reason):
      "No service knows names of places at \(path) (\(reason)). Install the package locationd-places;"
        + " where it is, 'sudo systemctl start locationd-places.socket' starts it, and"
        + " $LOCATIOND_PLACES_SOCKET names another socket."
    case .closed(let refusal):
      refusal?.message ?? "The service that knows names of places has gone. Ask again."
    case .timedOut: "The service that knows names of places does not answer. Ask again later."
    case .garbled: "What answers at \(path) is no locationd-places."
    }
  }
}

/// The language of the person who runs the program, as POSIX has it.
package enum UserLocale {
  /// Nil where none is set, or none of a people.
  package static var tag: String? {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
      guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { continue }
      let language = value.prefix { $0 != "." && $0 != "@" }
      return language == "C" || language == "POSIX" || language.utf8.count > 64
        ? nil : String(language)
    }
    return nil
  }
}
