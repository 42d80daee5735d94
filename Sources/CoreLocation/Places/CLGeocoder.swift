import Dispatch
public import Foundation
import LocationClient

public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// From places to names, and back. locationd knows no names yet: each request ends with the error
/// `network`.
///
/// An object does one request at a time: while one is under way, another fails at once. Handlers are
/// called on the main queue, exactly once.
open class CLGeocoder: NSObject {
  private let line = Line()

  /// The request that is under way.
  private final class Line: Sendable {
    let request = Guarded<Request?>(nil)
  }

  private final class Request: Sendable {
    private let handler: Guarded<Callback<CLGeocodeCompletionHandler>?>

    init(_ handler: @escaping CLGeocodeCompletionHandler) {
      self.handler = Guarded(Callback(handler))
    }

    /// Only the first end of a request counts.
    func end(_ result: Result<[CLPlacemark], CLError>) {
      let handler = handler.withLock { handler in
        defer { handler = nil }
        return handler
      }
      guard let handler else { return }
      DispatchQueue.main.async {
        switch result {
        case .success(let placemarks): handler.call(placemarks, nil)
        case .failure(let error): handler.call(nil, error)
        }
      }
    }
  }

  public override init() {}

  open var isGeocoding: Bool { line.request.withLock { $0 != nil } }

  open func cancelGeocode() {
    let cancelled = line.request.withLock { request in
      defer { request = nil }
      return request
    }
    cancelled?.end(.failure(CLError(.geocodeCanceled, "The request was cancelled.")))
  }

  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    reverseGeocodeLocation(location, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    begin(completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: nil, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    begin(completionHandler)
  }

  @available(*, deprecated, renamed: "geocodeAddressString(_:completionHandler:)")
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    begin(completionHandler)
  }

  private func begin(_ handler: @escaping CLGeocodeCompletionHandler) {
    let new = Request(handler)
    let isFree = line.request.withLock { request in
      guard request == nil else { return false }
      request = new
      return true
    }
    guard isFree else {
      return new.end(
        .failure(CLError(.network, "A geocoder does one request at a time: make another one.")))
    }
    DispatchQueue.main.async { [line] in
      line.request.withLock { if $0 === new { $0 = nil } }
      new.end(.failure(CLError(.network, "No service on this machine knows names of places.")))
    }
  }
}

// MARK: - For code that awaits

extension CLGeocoder {
  nonisolated(nonsending) public func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale? = nil
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) public func geocodeAddressString(
    _ addressString: String, in region: CLRegion? = nil, preferredLocale locale: Locale? = nil
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodeAddressString(
        addressString, in: region, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) private func placemarks(
    _ begin: (@escaping CLGeocodeCompletionHandler) -> Void
  ) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation { continuation in
      begin { placemarks, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: placemarks ?? [])
        }
      }
    }
  }
}
