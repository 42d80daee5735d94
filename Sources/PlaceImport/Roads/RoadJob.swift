internal import COsmium
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Makes the roads of an extract while it is read, and their part of its file.
final class RoadJob {
  private let folder: String
  private let show: (_ phase: String, _ percent: Int) -> Bool
  private var collector: RoadCollector?
  private let feed: RoadFeed
  private var image: ScratchArray<UInt8>?
  /// The south-west and the north-east of the roads; none where there are none.
  private(set) var corners: [Spot] = []

  /// `folder` holds files without names as long as it works; `show` says whether the work goes on.
  init(in folder: String, show: @escaping (String, Int) -> Bool) throws(SystemError) {
    (self.folder, self.show) = (folder, show)
    let collector = try RoadCollector(in: folder)
    self.collector = collector
    feed = RoadFeed(collector)
  }

  /// For the reading; as long as this object lives.
  var face: cosmium_roads { feed.face }

  /// Why it ended the reading.
  var trouble: SystemError? { feed.trouble }

  /// False where the work is cancelled.
  func finish() throws(SystemError) -> Bool {
    guard show("roads", 0), let draft = try collector?.finish({ show("roads", $0 * 30 / 100) })
    else { return false }
    collector = nil
    if draft.chains.count == 0 { return true }
    corners = Self.corners(draft)
    image = try RoadImage.bytes(of: draft, in: folder) { [show] percent in
      show("roads", 30 + percent * 70 / 100)
    }
    return image != nil
  }

  private static func corners(_ draft: RoadDraft) -> [Spot] {
    var (low, high) = (
      Spot(latitude: .max, longitude: .max), Spot(latitude: .min, longitude: .min)
    )
    for junction in draft.junctions.buffer {
      low.latitude = min(low.latitude, junction.latitude)
      low.longitude = min(low.longitude, junction.longitude)
      high.latitude = max(high.latitude, junction.latitude)
      high.longitude = max(high.longitude, junction.longitude)
    }
    return [low, high]
  }

  /// Parts of the extract's file; none where nobody can travel in it.
  var parts: [FileParts.Part] {
    image.map { [ExtractPart.roads.with(UnsafeRawBufferPointer($0.buffer))] } ?? []
  }
}
