import CoreLocation
import Foundation
import LocationModel

public enum MKOverlayLevel: Int, Sendable {
  case aboveRoads = 0
  case aboveLabels = 1
}

/// An overlay on a map.
struct OverlayLayer {
  let overlay: any MKOverlay
  let level: MKOverlayLevel
  var renderer: MKOverlayRenderer?
}

extension MKMapView {
  public func overlays(in level: MKOverlayLevel) -> [any MKOverlay] {
    layers.filter { $0.level == level }.map(\.overlay)
  }

  func addLayer(of overlay: any MKOverlay, _ level: MKOverlayLevel) {
    let above = layers.firstIndex { $0.level.rawValue > level.rawValue }
    insert(overlay, level, at: above ?? layers.count)
  }

  public func insertOverlay(_ overlay: any MKOverlay, at index: Int) {
    let level = layers.indices.contains(index) ? layers[index].level : .aboveLabels
    insert(overlay, level, at: min(max(index, 0), layers.count))
  }

  public func insertOverlay(_ overlay: any MKOverlay, at index: Int, level: MKOverlayLevel) {
    let places = layers.indices.filter { layers[$0].level == level }
    guard places.indices.contains(index) else { return addOverlay(overlay, level: level) }
    insert(overlay, level, at: places[index])
  }

  /// Added as the highest where the other one is not there.
  public func insertOverlay(_ overlay: any MKOverlay, above sibling: any MKOverlay) {
    guard let index = index(of: sibling) else { return addOverlay(overlay) }
    insert(overlay, layers[index].level, at: index + 1)
  }

  public func insertOverlay(_ overlay: any MKOverlay, below sibling: any MKOverlay) {
    guard let index = index(of: sibling) else { return addOverlay(overlay) }
    insert(overlay, layers[index].level, at: index)
  }

  public func exchangeOverlay(at index1: Int, withOverlayAt index2: Int) {
    guard layers.indices.contains(index1), layers.indices.contains(index2) else { return }
    layers.swapAt(index1, index2)
    overlayChanged()
  }

  public func exchangeOverlay(_ overlay1: any MKOverlay, with overlay2: any MKOverlay) {
    guard let first = index(of: overlay1), let second = index(of: overlay2) else { return }
    exchangeOverlay(at: first, withOverlayAt: second)
  }

  private func index(of overlay: any MKOverlay) -> Int? {
    layers.firstIndex { $0.overlay === overlay }
  }

  private func insert(_ overlay: any MKOverlay, _ level: MKOverlayLevel, at index: Int) {
    guard !layers.contains(where: { $0.overlay === overlay }) else { return }
    layers.insert(OverlayLayer(overlay: overlay, level: level), at: index)
    hasNewLayers = true
    takeTurn()
  }

  func removeLayer(of overlay: any MKOverlay) {
    guard let index = layers.firstIndex(where: { $0.overlay === overlay }) else { return }
    layers.remove(at: index).renderer?.map = nil
    overlayChanged()
  }

  func makeNewRenderers() {
    guard hasNewLayers else { return }
    hasNewLayers = false
    var made: [MKOverlayRenderer] = []
    for overlay in layers.filter({ $0.renderer == nil }).map(\.overlay) {
      let renderer =
        delegate?.mapView(self, rendererFor: overlay) ?? MKOverlayRenderer(overlay: overlay)
      // The delegate may have removed it.
      guard let index = layers.firstIndex(where: { $0.overlay === overlay }) else { continue }
      layers[index].renderer = renderer
      renderer.map = self
      made.append(renderer)
    }
    news.areOverlaysNew = true
    if !made.isEmpty { delegate?.mapView(self, didAdd: made) }
  }

  func overlayChanged() {
    news.areOverlaysNew = true
    takeTurn()
  }
}

/// A shape that the page draws: lines, areas with holes, or a circle.
enum OverlayShape {
  case lines([MKPolyline])
  case areas([MKPolygon])
  case circle(MKCircle)
  case tiles(MKTileOverlay, load: Int)
  case picture(UIImage, MKMapRect)

  /// Lines from one part of their length to another, 0 to 1; what else there is, whole.
  func part(from start: Double, to end: Double) -> OverlayShape {
    guard case .lines(let lines) = self, start > 0 || end < 1 else { return self }
    return .lines(lines.map { MKPolyline($0.all.part(from: max(start, 0), to: min(end, 1))) })
  }
}

extension Collection<MKMapPoint> {
  fileprivate func part(from start: Double, to end: Double) -> [MKMapPoint] {
    let whole = zip(self, dropFirst()).reduce(0) { $0 + $1.0.flatDistance(to: $1.1) }
    guard start < end, whole > 0, let first else { return [] }
    var result: [MKMapPoint] = start == 0 ? [first] : []
    var done = 0.0
    for (a, b) in zip(self, dropFirst()) {
      let length = a.flatDistance(to: b)
      defer { done += length }
      guard length > 0 else { continue }
      func point(at share: Double) -> MKMapPoint? {
        let along = (share * whole - done) / length
        guard along > 0, along <= 1 else { return nil }
        return MKMapPoint(x: a.x + (b.x - a.x) * along, y: a.y + (b.y - a.y) * along)
      }
      if let begin = point(at: start) { result.append(begin) }
      if let last = point(at: end) { return result + [last] }
      if !result.isEmpty { result.append(b) }
    }
    return result
  }
}

extension MKMapPoint {
  fileprivate func flatDistance(to other: MKMapPoint) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

struct OverlayDrawing {
  private(set) var shape: OverlayShape
  let stroke: String?
  let fill: String?
  let width: Double
  let dash: [Double]
  let alpha: Double
  var cap = CGLineCap.round.words
  var join = CGLineJoin.round.words
  var blend: String?

  /// Adds lines to its own, in place. False where it has others than lines.
  mutating func add(_ lines: [MKPolyline]) -> Bool {
    guard case .lines(var all) = shape else { return false }
    // The array has one owner while it grows.
    shape = .lines([])
    all += lines
    shape = .lines(all)
    return true
  }

  func isLike(_ other: OverlayDrawing) -> Bool {
    stroke == other.stroke && fill == other.fill && width == other.width && dash == other.dash
      && alpha == other.alpha && cap == other.cap && join == other.join && blend == other.blend
  }
}

extension MKOverlay {
  /// Nil for the app's own kinds.
  var shape: OverlayShape? {
    switch self {
    case let line as MKPolyline: .lines([line.drawn])
    case let lines as MKMultiPolyline: .lines(lines.polylines.map(\.drawn))
    case let area as MKPolygon: .areas([area])
    case let areas as MKMultiPolygon: .areas(areas.polygons)
    case let circle as MKCircle: .circle(circle)
    case let tiles as MKTileOverlay: .tiles(tiles, load: 0)
    default: nil
    }
  }
}
