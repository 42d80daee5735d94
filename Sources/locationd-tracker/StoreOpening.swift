import LocationModel
import Platform
import TrackStore

extension Tracker {
  /// A database that is broken gives up what can be read of it, and another begins.
  static func openStore(
    _ folder: String, on loop: EventLoop, _ log: Log
  ) throws(SystemError) -> (TrackStore, mended: String?) {
    let (store, salvage) = try TrackStore.opening(folder: folder, on: loop)
    switch salvage {
    case .success(let salvage):
      let mended =
        "the track was broken: \(Count(salvage.entries, "entry")) could be read;"
        + " the broken file is \(salvage.aside)"
      log.error(mended)
      return (store, mended)
    case .failure(let error):
      log.error("the track is broken, and cannot be mended: \(error)")
      return (store, nil)
    case nil: return (store, nil)
    }
  }
}
