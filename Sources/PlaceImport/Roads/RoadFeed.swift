internal import COsmium
internal import PlaceCore
internal import Platform

/// Hands what COsmium reads of roads on to their collector.
final class RoadFeed: Reader {
  private let collector: RoadCollector
  var trouble: SystemError?

  init(_ collector: RoadCollector) { self.collector = collector }

  /// As long as this object lives.
  var face: cosmium_roads {
    cosmium_roads(
      context: Unmanaged.passUnretained(self).toOpaque(),
      obstacle: { RoadFeed.hand($0, $1) { (feed, it) throws(SystemError) in try feed.take(it) } },
      road: { RoadFeed.hand($0, $1) { (feed, it) throws(SystemError) in try feed.take(it) } },
      restriction: { RoadFeed.hand($0, $1) { $0.take($1) } })
  }

  private static func hand<Thing>(
    _ context: UnsafeMutableRawPointer?, _ thing: UnsafePointer<Thing>?,
    _ body: (RoadFeed, Thing) throws(SystemError) -> Void
  ) -> Bool {
    guard let feed = of(context), let thing else { return false }
    return feed.attempt { () throws(SystemError) in try body(feed, thing.pointee) }
  }

  private func take(_ obstacle: cosmium_obstacle) throws(SystemError) {
    let tags = Self.tags(obstacle.tags, obstacle.tag_count)
    try collector.add(obstacleAt: obstacle.node, WayTags(tags))
  }

  private func take(_ road: cosmium_road) throws(SystemError) {
    let tags = Self.tags(road.tags, road.tag_count) { RoadCollector.keys.contains($0) }
    guard let places = UnsafeRawPointer(road.places) else { return }
    // Both are a latitude and a longitude.
    let spots = UnsafeBufferPointer(
      start: places.assumingMemoryBound(to: Spot.self), count: road.node_count)
    try collector.add(
      way: road.number, tags,
      nodes: UnsafeBufferPointer(start: road.nodes, count: road.node_count), places: spots)
  }

  private func take(_ restriction: cosmium_restriction) {
    var (from, to, ways, nodes): ([Int64], [Int64], [Int64], [UInt32]) = ([], [], [], [])
    for i in 0..<restriction.member_count {
      let member = restriction.members[i]
      switch (String(cString: member.role), UInt8(bitPattern: member.kind)) {
      case ("from", UInt8(ascii: "w")): from.append(member.number)
      case ("to", UInt8(ascii: "w")): to.append(member.number)
      case ("via", UInt8(ascii: "w")): ways.append(member.number)
      case ("via", UInt8(ascii: "n")): nodes.append(member.node)
      default: break
      }
    }
    guard nodes.isEmpty || nodes.count == 1 && ways.isEmpty else { return }
    let tags = Self.tags(restriction.tags, restriction.tag_count)
    let via = nodes.first.map(Restriction.Via.node) ?? .ways(ways)
    for mode in Restriction.modes {
      if let restriction = Restriction(tags, mode, from: from, via: via, to: to) {
        collector.add(restriction)
      }
    }
  }

  /// A longer value is none that counts.
  private static let longest = 1000

  private static func tags(
    _ tags: UnsafePointer<cosmium_tag>?, _ count: Int,
    where isWanted: (String) -> Bool = { _ in true }
  ) -> RoadTagList {
    var list: RoadTagList = []
    for tag in UnsafeBufferPointer(start: tags, count: count) {
      let key = String(cString: tag.key)
      guard isWanted(key) else { continue }
      let value = String(cString: tag.value)
      if value.utf8.count <= longest { list.append((key, value)) }
    }
    return list
  }
}
