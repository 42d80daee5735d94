import Console
import Glibc
import LocationClient
import LocationModel
import Platform
import TrackCore
import TrackStore

/// A track that can be read in order.
protocol Track {
  func read(
    _ span: TrackSpan, _ body: (TrackEntry) throws(Failure) -> Void
  ) throws(Failure)
}

/// A running tracker.
struct TrackerLink: Track {
  private let connection: Connection

  init(at path: String?) throws(Failure) {
    let path = path ?? Self.defaultPath
    do throws(ConnectionError) {
      connection = try Connection(path: path)
    } catch {
      guard case .noDaemon = error else { throw Failure(error) }
      throw Failure(.noDaemon, Self.message(error, path))
    }
  }

  static var defaultPath: String {
    SocketPath.named(by: "LOCATIOND_TRACKER_SOCKET", else: "/run/locationd/tracker.sock")
  }

  /// The error and its remedy, in a sentence.
  static func message(_ error: ConnectionError, _ path: String) -> String {
    switch error {
    case .noDaemon(_, let reason):
      "no tracker at \(path) (\(reason)). Is the package locationd-tracker installed and the tracker"
        + " running, and are you root or of the group locationd-track?"
    case .closed(let refusal): refusal?.message ?? "the tracker has gone."
    case .timedOut: "the tracker does not answer."
    case .garbled: "what answers at \(path) is no locationd-tracker."
    }
  }

  func ask(_ call: TrackCall) throws(Failure) -> JSON {
    let result: Result<JSON, Refusal>
    do throws(ConnectionError) {
      result = try connection.ask(call.method, call.parameters, seconds: 60)
    } catch {
      throw Failure(error)
    }
    switch result {
    case .success(let json): return json
    case .failure(let refusal): throw Failure(refusal)
    }
  }

  func read(
    _ span: TrackSpan, _ body: (TrackEntry) throws(Failure) -> Void
  ) throws(Failure) {
    var last: Int64 = 0
    while true {
      let page = try ask(.entries(from: span.from, to: span.to, after: last, limit: 1000))
      for json in page["entries"]?.array ?? [] {
        guard let entry = TrackEntry(json) else { continue }
        try body(entry)
        last = max(last, entry.number)
      }
      guard page["more"]?.bool == true else { return }
    }
  }
}

/// The files of a tracker that does not run.
struct FolderTrack: Track {
  private let file: TrackFile

  init(_ folder: String) throws(Failure) {
    do throws(DatabaseError) { file = try TrackFile(folder: folder) } catch {
      throw Failure(.failed, "the track in \(folder) cannot be read: \(error)")
    }
  }

  func read(
    _ span: TrackSpan, _ body: (TrackEntry) throws(Failure) -> Void
  ) throws(Failure) {
    var last: Int64 = 0
    while true {
      let page: [TrackEntry]
      do throws(DatabaseError) {
        page = try file.read(from: span.from, to: span.to, after: last, limit: 1000)
      } catch {
        throw Failure(.failed, "the track cannot be read: \(error)")
      }
      for entry in page { try body(entry) }
      guard let end = page.last else { return }
      last = end.number
    }
  }
}
