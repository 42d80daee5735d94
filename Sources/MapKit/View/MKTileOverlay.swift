public import CoreLocation
public import Foundation
import LocationModel

/// A square of a tile overlay.
public struct MKTileOverlayPath: Equatable, Sendable {
  public var x: Int
  public var y: Int
  public var z: Int
  public var contentScaleFactor: CGFloat

  public init(x: Int = 0, y: Int = 0, z: Int = 0, contentScaleFactor: CGFloat = 1) {
    (self.x, self.y, self.z) = (x, y, z)
    self.contentScaleFactor = contentScaleFactor
  }
}

/// Pictures in squares, which the app loads and the page shows: the page itself asks no server.
open class MKTileOverlay: NSObject, MKOverlay {
  open internal(set) var urlTemplate: String?
  open var tileSize = CGSize(width: 256, height: 256)
  /// The rows are counted from the south.
  open var isGeometryFlipped = false
  open var minimumZ = 0
  open var maximumZ = 21
  /// The map below is hidden.
  open var canReplaceMapContent = false

  public init(urlTemplate: String?) { self.urlTemplate = urlTemplate }

  open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
  open var boundingMapRect: MKMapRect { .world }

  /// The template with the square's numbers. An app without a template overrides this, or `loadTile`.
  open func url(forTilePath path: MKTileOverlayPath) -> URL {
    let row = isGeometryFlipped ? (1 << path.z) - 1 - path.y : path.y
    let parts = ["x": path.x, "y": row, "z": path.z, "scale": Int(path.contentScaleFactor)]
    let text = parts.reduce(urlTemplate ?? "") {
      $0.replacingOccurrences(of: "{\($1.key)}", with: String($1.value))
    }
    return URL(string: text) ?? URL(filePath: "/dev/null")
  }

  /// The picture of a square, from its address. `result` may be called on any thread.
  @preconcurrency open func loadTile(
    at path: MKTileOverlayPath, result: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    let url = url(forTilePath: path)
    guard url.isFileURL || Self.hasNetwork else {
      return result(
        nil,
        MKError(
          .serverFailure, "Tiles of servers want a program that imports FoundationNetworking."))
    }
    Self.loading.addOperation {
      guard !url.isFileURL else {
        let data = Data(ofFile: url, atMost: UIImage.mostBytes)
        return result(data, data == nil ? MKError(.decodingFailed) : nil)
      }
      do { result(try Data(contentsOf: url), nil) } catch { result(nil, error) }
    }
  }

  /// The library asks no server, so that an app without a network is linked without one: Foundation asks in its
  /// place, where the program has what it needs for that.
  private static var hasNetwork: Bool {
    NSClassFromString("FoundationNetworking._NSNonfileURLContentLoader") != nil
  }

  private static let loading = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 6
    return queue
  }()

  /// A map calls this one, so that an app overrides either.
  open func loadTile(at path: MKTileOverlayPath) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      loadTile(at: path) { data, error in
        continuation.resume(
          with: data.map(Result.success) ?? .failure(error ?? MKError(.decodingFailed)))
      }
    }
  }

  /// An address that the page shows as a picture; nil for what is none, or a large one.
  static func picture(_ data: Data) -> String? {
    let kinds: [(first: [UInt8], type: String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "png"), ([0xFF, 0xD8, 0xFF], "jpeg"),
      (Array("RIFF".utf8), "webp"),
    ]
    guard data.count <= UIImage.mostBytes,
      let kind = kinds.first(where: { data.starts(with: $0.first) })
    else { return nil }
    return "data:image/\(kind.type);base64,\(data.base64EncodedString())"
  }
}

/// Has an app load a square.
// Unchecked: what can be set of an overlay is the app's to guard.
struct TileLoader: @unchecked Sendable {
  let overlay: MKTileOverlay

  /// An address that the page shows as a picture; nil for none.
  nonisolated(nonsending) func picture(at path: MKTileOverlayPath) async -> String? {
    await Task(executorPreference: Self.threads) {
      (try? await overlay.loadTile(at: path)).flatMap(MKTileOverlay.picture)
    }.value
  }

  private static let threads = TileThreads()
}

/// Threads for what loads squares: the page waits for them, and those of the app's tasks may all be busy.
private final class TileThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "org.locationd.tiles", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

open class MKTileOverlayRenderer: MKOverlayRenderer {
  private var loads = 0

  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(tileOverlay overlay: MKTileOverlay) { super.init(overlay: overlay) }

  /// Lets the page ask for all squares again.
  open func reloadData() {
    loads += 1
    changed()
  }

  override func drawing() -> OverlayDrawing? {
    (overlay as? MKTileOverlay).map {
      OverlayDrawing(
        shape: .tiles($0, load: loads), stroke: nil, fill: nil, width: 0, dash: [],
        alpha: min(max(Double(alpha), 0), 1), blend: blendMode.words)
    }
  }
}
