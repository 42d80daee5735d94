import CoreLocation
public import Foundation
import LocationClient
import LocationModel

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKErrorDomain = "MKErrorDomain"

/// Why a search has no answer. `localizedDescription` says what helps.
public struct MKError: _BridgedStoredNSError, CustomStringConvertible, Sendable {
  public let _nsError: NSError

  /// The words of `localizedDescription`.
  public var description: String { localizedDescription }

  public init(_nsError error: NSError) {
    _nsError = error
  }

  public static var _nsErrorDomain: String { MKErrorDomain }
  public static var errorDomain: String { MKErrorDomain }

  public enum Code: UInt, _ErrorCodeProtocol, Sendable {
    public typealias _ErrorType = MKError

    case unknown = 1
    case serverFailure = 2
    case loadingThrottled = 3
    case placemarkNotFound = 4
    case directionsNotFound = 5
    case decodingFailed = 6
  }

  public static var unknown: Code { .unknown }
  public static var serverFailure: Code { .serverFailure }
  public static var loadingThrottled: Code { .loadingThrottled }
  public static var placemarkNotFound: Code { .placemarkNotFound }
  public static var directionsNotFound: Code { .directionsNotFound }
  public static var decodingFailed: Code { .decodingFailed }
}

extension MKError {
  init(_ code: Code, _ message: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
  }

  /// The error of a request that is not asked.
  init(_ unasked: Unasked, _ object: String, _ requests: String, _ problem: String) {
    switch unasked {
    case .busy:
      self.init(.unknown, "\(object) does one request at a time: make another one.")
    case .noQuestion: self.init(.placemarkNotFound, problem)
    case .throttled: self.init(.loadingThrottled, RequestBudget.excess(requests))
    }
  }

  init(_ refusal: Refusal) {
    let code: Code =
      switch refusal.code {
      case .geocodeFoundNoResult, .geocodeFoundPartialResult, .placemarkNotFound:
        .placemarkNotFound
      case .directionsNotFound: .directionsNotFound
      case .limitExceeded: .loadingThrottled
      // A question that the service does not understand has no answer, which is not to be taken for none found.
      case .invalidParameters, .unknownMethod, .invalidRequest, .malformed: .unknown
      default: .serverFailure
      }
    self.init(code, refusal.message)
  }
}
