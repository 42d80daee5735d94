internal import COsmium
internal import PlaceCore
internal import Platform

/// Has the districts of an extract collected while it is read.
final class DistrictJob: Reader {
  let collector: DistrictCollector
  var trouble: SystemError?

  /// `folder` holds files without names as long as it works.
  init(in folder: String) throws(SystemError) { collector = try DistrictCollector(in: folder) }

  /// A node with a name.
  func take(point tags: Tags, _ shape: [Spot]) -> Bool {
    guard let spot = shape.first else { return true }
    return attempt { () throws(SystemError) in try collector.add(point: tags, at: spot) }
  }

  /// For the reading; as long as this object lives.
  var face: cosmium_districts {
    cosmium_districts(
      context: Unmanaged.passUnretained(self).toOpaque(),
      area: { context, _, tags, count, isWanted in
        DistrictJob.of(context)?.take(tags, count, isWanted) ?? false
      },
      member: { context, area, isInner, way in
        guard let job = DistrictJob.of(context), let way else { return false }
        return job.take(way.pointee, area, isInner)
      },
      whole: { context, area, centre in
        DistrictJob.of(context)?.collector.add(
          whole: area, centre: centre.map { Spot($0.pointee) })
        return true
      })
  }

  private func take(
    _ tags: UnsafePointer<cosmium_tag>?, _ count: Int, _ isWanted: UnsafeMutablePointer<Bool>?
  ) -> Bool {
    attempt { () throws(SystemError) in
      isWanted?.pointee = try collector.add(area: Tags(tags, count))
    }
  }

  private func take(_ way: cosmium_shape, _ area: Int, _ isInner: Bool) -> Bool {
    attempt { () throws(SystemError) in
      try collector.add(
        member: way.spots, of: area, isInner: isInner, first: way.first, last: way.last)
    }
  }
}
