public import Contacts
public import Foundation
import LocationClient
import LocationModel

public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// From places to names, and back: each request asks locationd-places.
///
/// An object does one request at a time: while one is under way, another fails at once. Handlers are
/// called on the main queue, exactly once. Answers are not kept here: the service keeps those of servers.
open class CLGeocoder: NSObject {
  private let request = OneRequest<[CLPlacemark]>()
  private let client = PlacesClient.current

  public override init() {}

  open var isGeocoding: Bool { request.isBusy }

  open func cancelGeocode() { Self.cancel(request) }

  private static func cancel(_ request: OneRequest<[CLPlacemark]>) {
    request.cancel(CLError(.geocodeCanceled, "The request was cancelled."))
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
    var reverse = ReverseRequest(Coordinate(location.coordinate))
    reverse.locale = locale.tag
    begin(
      reverse.coordinate.isValid ? .reverseGeocode(reverse) : nil,
      "The location lies nowhere on the Earth.", completionHandler)
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
    geocode(addressString, country: nil, region, locale, completionHandler)
  }

  @available(*, deprecated, renamed: "geocodeAddressString(_:completionHandler:)")
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    func text(_ key: String) -> String? { addressDictionary[key] as? String }
    let lines =
      addressDictionary["FormattedAddressLines"] as? [String]
      ?? ["Street", "SubLocality", "City", "State", "ZIP", "Country"].compactMap(text)
    geocode(
      lines.joined(separator: ", "), country: text("CountryCode"), nil, nil, completionHandler)
  }

  open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodePostalAddress(
      postalAddress, preferredLocale: nil, completionHandler: completionHandler)
  }

  open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let lines = CNPostalAddressFormatter.string(from: postalAddress, style: .mailingAddress)
    let country = postalAddress.isoCountryCode
    geocode(
      lines.replacing("\n", with: ", "), country: country.isEmpty ? nil : country, nil, locale,
      completionHandler)
  }

  // MARK: For code that awaits

  // Each calls its twin with a handler, which a subclass may have as its own.

  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation
  ) async throws -> [CLPlacemark] {
    try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
  }

  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] {
    try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] {
    try await placemarks { geocodeAddressString(addressString, in: region, completionHandler: $0) }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodeAddressString(
        addressString, in: region, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress
  ) async throws -> [CLPlacemark] {
    try await placemarks { geocodePostalAddress(postalAddress, completionHandler: $0) }
  }

  nonisolated(nonsending) open func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await placemarks {
      geocodePostalAddress(postalAddress, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) private func placemarks(
    _ begin: (@escaping CLGeocodeCompletionHandler) -> Void
  ) async throws -> [CLPlacemark] {
    try await awaited(begin) { [request] in Self.cancel(request) }
  }

  // MARK: The question

  private func geocode(
    _ text: String, country: String?, _ region: CLRegion?, _ locale: Locale?,
    _ handler: @escaping CLGeocodeCompletionHandler
  ) {
    var geocode = GeocodeRequest(text)
    geocode.locale = locale.tag
    geocode.country = country
    let center = (region as? CLCircularRegion).map { Coordinate($0.center) }
    geocode.near = center.flatMap { $0.isValid ? $0 : nil }
    let isAddress =
      text.contains { !$0.isWhitespace } && text.utf8.count <= PlaceRequest.longestText
    begin(
      isAddress ? .geocode(geocode) : nil,
      "An address has 1 to \(PlaceRequest.longestText) bytes of text.", handler)
  }

  /// Asks; nil is a question that has no answer anywhere.
  private func begin(
    _ question: PlaceRequest?, _ problem: String, _ handler: @escaping CLGeocodeCompletionHandler
  ) {
    let told: OneRequest<[CLPlacemark]>.Handler = { result in
      switch result {
      case .success(let places): handler(places, Self.lack(of: places))
      case .failure(let error): handler(nil, error)
      }
    }
    request.ask(
      question, of: client, within: \.geocoding,
      else: { unasked in
        switch unasked {
        case .busy:
          CLError(.network, "A geocoder does one request at a time: make another one.")
        case .noQuestion: CLError(.geocodeFoundNoResult, problem)
        case .throttled: CLError(.network, RequestBudget.excess("requests"))
        }
      }, then: { Self.placemarks($0).mapError { $0 } }, told)
  }

  /// An address whose street is not known gives its town.
  private static func lack(of places: [CLPlacemark]) -> CLError? {
    places.first?.isPartial == true
      ? CLError(
        .geocodeFoundPartialResult, "Not all of the address is known: this is what is around it.")
      : nil
  }

  private static func placemarks(_ answer: PlacesClient.Answer) -> Result<[CLPlacemark], CLError> {
    switch answer {
    case .success(let reply):
      return reply.found.isEmpty
        ? .failure(CLError(.geocodeFoundNoResult, "No place of that name is known."))
        : .success(reply.found.map { CLPlacemark($0) })
    case .failure(let refusal):
      return .failure(CLError(refusal, other: .network))
    }
  }
}

extension Locale? {
  /// Nil is the language of the person who runs the app.
  package var tag: String? {
    map { $0.identifier.replacing("_", with: "-") } ?? UserLocale.tag
  }
}
