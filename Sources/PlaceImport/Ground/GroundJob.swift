internal import COsmium
internal import PlaceStore
internal import Platform

/// Makes the ground of an extract while it is read, and its part of the extract's file.
final class GroundJob: Reader {
  private let show: (_ phase: String, _ percent: Int) -> Bool
  private let collector: GroundCollector
  private var tiles: ScratchArray<UInt8>?
  var trouble: SystemError?

  /// `folder` holds files without names as long as it works; `show` says whether the work goes on.
  init(in folder: String, show: @escaping (String, Int) -> Bool) throws(SystemError) {
    self.show = show
    collector = try GroundCollector(in: folder)
  }

  /// A thing with a name. Of a relation only its middle is known.
  func take(_ tags: Tags, _ shape: [Spot], isClosed: Bool, isRelation: Bool) -> Bool {
    guard !tags.isStreet || shape.count == 1, !shape.isEmpty else { return true }
    let spot = isClosed ? Spot.middle(of: shape) : Spot.mean(of: shape)
    let all = shape.map { Int64($0.longitude) }
    let width = isRelation ? Self.usualWidth : isClosed ? (all.max() ?? 0) - (all.min() ?? 0) : 0
    return attempt { () throws(SystemError) in
      try collector.add(name: tags, at: spot, width: width)
    }
  }

  /// The width of a relation's area, in degrees times ten million: about two kilometres.
  private static let usualWidth: Int64 = 200_000

  /// False where the work is cancelled.
  func finish() throws(SystemError) -> Bool {
    guard show("ground", 0) else { return false }
    tiles = try collector.finish()
    return show("ground", 100)
  }

  /// Areas that reach beyond the extract, in a sentence.
  var incomplete: String? {
    let count = collector.incomplete
    guard count > 0 else { return nil }
    return count == 1
      ? "1 area reaches beyond the extract; the map shows what of it is closed."
      : "\(count) areas reach beyond the extract; the map shows what of them is closed."
  }

  /// Parts of the extract's file; none where nothing is drawn.
  var parts: [FileParts.Part] {
    tiles.map { [ExtractPart.ground.with(UnsafeRawBufferPointer($0.buffer))] } ?? []
  }
}

// MARK: - What is read

extension GroundJob {
  /// For the reading; as long as this object lives.
  var face: cosmium_ground {
    cosmium_ground(
      context: Unmanaged.passUnretained(self).toOpaque(),
      box: { GroundJob.of($0)?.take($1, $2) ?? false },
      way: { context, way in
        guard let job = GroundJob.of(context), let way else { return false }
        return job.take(way.pointee)
      },
      member: { context, area, isInner, way in
        guard let job = GroundJob.of(context), let way else { return false }
        return job.take(way.pointee, area, isInner)
      },
      area: { GroundJob.of($0)?.take($1, $2, $3) ?? false })
  }

  private func take(_ southWest: cosmium_place, _ northEast: cosmium_place) -> Bool {
    attempt { collector.setBox(Spot(southWest), Spot(northEast)) }
  }

  private func take(_ way: cosmium_shape) -> Bool {
    let tags = Tags(way.tags, way.tag_count)
    return attempt { () throws(SystemError) in
      try collector.add(way: tags, way.spots, first: way.first, last: way.last)
    }
  }

  private func take(_ way: cosmium_shape, _ area: Int, _ isInner: Bool) -> Bool {
    attempt { () throws(SystemError) in
      try collector.add(
        member: way.spots, of: area, isInner: isInner, first: way.first, last: way.last)
    }
  }

  private func take(_ area: Int, _ tags: UnsafePointer<cosmium_tag>?, _ count: Int) -> Bool {
    attempt { () throws(SystemError) in
      try collector.add(area: area, Tags(tags, count))
    }
  }
}
