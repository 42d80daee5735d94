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
typealias TrackerLink = Client<TrackCall>

extension Client<TrackCall>: Track {
  init(at path: String?) throws(Failure) {
    try self.init(.tracker, at: path ?? Peer.tracker.defaultPath)
  }

  func read(
    _ span: TrackSpan, _ body: (TrackEntry) throws(Failure) -> Void
  ) throws(Failure) {
    var last: Int64 = 0
    while true {
      let call = TrackCall.entries(from: span.from, to: span.to, after: last, limit: 1000)
      guard case .entries(let page) = try ask(call) else { return }
      for entry in page.entries { try body(entry) }
      guard page.hasMore, page.last > last else { return }
      last = page.last
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
      let page: TrackPage
      do throws(DatabaseError) {
        page = try file.read(from: span.from, to: span.to, after: last, limit: 1000)
      } catch {
        throw Failure(.failed, "the track cannot be read: \(error)")
      }
      for entry in page.entries { try body(entry) }
      guard page.hasMore, page.last > last else { return }
      last = page.last
    }
  }
}
