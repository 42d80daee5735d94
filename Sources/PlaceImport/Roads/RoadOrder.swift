internal import PlaceCore

/// The order of junctions in which those of a cell, and of each half of it, follow each other: each part is halved at
/// its middle, across its longer side.
enum RoadOrder {
  struct Point {
    var latitude: Int32
    var longitude: Int32
    var number: UInt32
  }

  /// Parts of so few are not halved further.
  private static let least = 32

  static func sort(_ points: UnsafeMutableBufferPointer<Point>) {
    var depth: UInt32 = 0
    while points.count >> Int(depth) > least {
      for cell in 0..<UInt32(1) << depth {
        halve(points, cell, depth)
      }
      depth += 1
    }
  }

  private static func halve(
    _ points: UnsafeMutableBufferPointer<Point>, _ cell: UInt32, _ depth: UInt32
  ) {
    let all = RoadCell.junctions(of: cell, depth: depth, UInt64(points.count))
    let part = Int(all.lowerBound)..<Int(all.upperBound)
    let middle = Int(
      RoadCell.junctions(of: cell * 2, depth: depth + 1, UInt64(points.count)).upperBound)
    guard part.count > 1, part.contains(middle) else { return }
    var box = (south: Int32.max, north: Int32.min, west: Int32.max, east: Int32.min)
    for point in points[part] {
      box.south = min(box.south, point.latitude)
      box.north = max(box.north, point.latitude)
      box.west = min(box.west, point.longitude)
      box.east = max(box.east, point.longitude)
    }
    let height = Double(box.north) - Double(box.south)
    let width = Double(box.east) - Double(box.west)
    let narrowing = cosine(ofDegrees: (Double(box.north) + Double(box.south)) / 2e7)
    if height > width * narrowing {
      select(points, part, middle) { $0.latitude }
    } else {
      select(points, part, middle) { $0.longitude }
    }
  }

  /// Near enough to tell the longer side.
  private static func cosine(ofDegrees degrees: Double) -> Double {
    max(1 - degrees * degrees / 6561, 0.01)
  }

  /// Puts the points before `middle` that belong there. Equal ones are divided, so that many at one place take no
  /// longer.
  private static func select(
    _ points: UnsafeMutableBufferPointer<Point>, _ part: Range<Int>, _ middle: Int,
    _ key: (Point) -> Int32
  ) {
    var (low, high) = (part.lowerBound, part.upperBound - 1)
    while low < high {
      let three = [key(points[low]), key(points[(low + high) / 2]), key(points[high])].sorted()
      let pivot = three[1]
      var (left, right) = (low, high)
      while left <= right {
        while key(points[left]) < pivot { left += 1 }
        while key(points[right]) > pivot { right -= 1 }
        if left <= right {
          points.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right { high = right } else if middle >= left { low = left } else { return }
    }
  }
}
