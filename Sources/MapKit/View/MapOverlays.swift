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
  /// From the lowest to the highest.
  public var overlays: [any MKOverlay] { layers.map(\.overlay) }

  public func overlays(in level: MKOverlayLevel) -> [any MKOverlay] {
    layers.filter { $0.level == level }.map(\.overlay)
  }

  public func addOverlay(_ overlay: any MKOverlay) { addOverlay(overlay, level: .aboveLabels) }

  public func addOverlays(_ overlays: [any MKOverlay]) {
    addOverlays(overlays, level: .aboveLabels)
  }

  public func addOverlay(_ overlay: any MKOverlay, level: MKOverlayLevel) {
    let above = layers.firstIndex { $0.level.rawValue > level.rawValue }
    insert(overlay, level, at: above ?? layers.count)
  }

  public func addOverlays(_ overlays: [any MKOverlay], level: MKOverlayLevel) {
    for overlay in overlays { addOverlay(overlay, level: level) }
  }

  public func insertOverlay(_ overlay: any MKOverlay, at index: Int) {
    let level = layers.indices.contains(index) ? layers[index].level : .aboveLabels
    insert(overlay, level, at: min(max(index, 0), layers.count))
  }

  private func insert(_ overlay: any MKOverlay, _ level: MKOverlayLevel, at index: Int) {
    guard !layers.contains(where: { $0.overlay === overlay }) else { return }
    layers.insert(OverlayLayer(overlay: overlay, level: level), at: index)
    hasNewLayers = true
    takeTurn()
  }

  public func removeOverlay(_ overlay: any MKOverlay) {
    guard let index = layers.firstIndex(where: { $0.overlay === overlay }) else { return }
    layers.remove(at: index).renderer?.map = nil
    overlayChanged()
  }

  public func removeOverlays(_ overlays: [any MKOverlay]) {
    for overlay in overlays { removeOverlay(overlay) }
  }

  /// Nil before the delegate was asked for it.
  public func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer? {
    layers.first { $0.overlay === overlay }?.renderer
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
}

struct OverlayDrawing {
  let shape: OverlayShape
  let stroke: String?
  let fill: String?
  let width: Double
  let dash: [Double]
  let alpha: Double
}

extension MKOverlay {
  /// Nil for the app's own kinds.
  var shape: OverlayShape? {
    switch self {
    case let line as MKPolyline: .lines([line])
    case let lines as MKMultiPolyline: .lines(lines.polylines)
    case let area as MKPolygon: .areas([area])
    case let areas as MKMultiPolygon: .areas(areas.polygons)
    case let circle as MKCircle: .circle(circle)
    default: nil
    }
  }
}
