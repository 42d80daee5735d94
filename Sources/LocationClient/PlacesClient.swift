import Glibc
package import LocationModel

/// The service that knows places, for code that is called back. A few threads ask it while there are
/// requests; then the connections end with them, so that the service may leave.
package final class PlacesClient: Sendable {
  package typealias Answer = Result<PlaceReply, Refusal>

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

  package init(path: String = Peer.places.defaultPath, patience: Double = Peer.places.patience) {
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
    var connection: Connection?
    while true {
      let next = work.withLock { work in
        if work.waiting.isEmpty { work.threads -= 1 }
        return work.waiting.isEmpty ? nil : work.waiting.removeFirst()
      }
      guard let next else { return }
      next.reply(answer(to: next.request, over: &connection))
    }
  }

  private func answer(to request: PlaceRequest, over connection: inout Connection?) -> Answer {
    let result: Result<PlaceReply, ClientError>
    do throws(ConnectionError) {
      let open = if let connection { connection } else { try Connection(path: path) }
      connection = open
      result = open.ask(request, seconds: patience)
    } catch {
      result = .failure(.lost(error))
    }
    return result.mapError { error in
      switch error {
      case .refused(let refusal): return refusal
      case .lost(let error):
        // The next request is not to read the late answer to this one.
        connection = nil
        return Refusal(.network, Peer.places.message(error, at: path))
      }
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
