import CoreLocation
import Dispatch
public import Foundation
import LocationClient
import LocationModel

public protocol MKLocalSearchCompleterDelegate: AnyObject {
  func completerDidUpdateResults(_ completer: MKLocalSearchCompleter)
  func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error)
}

extension MKLocalSearchCompleterDelegate {
  public func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {}
  public func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error) {}
}

// For calls with a question mark, as the delegates of maps have them.
extension MKLocalSearchCompleterDelegate {
  public var completerDidUpdateResults: ((MKLocalSearchCompleter) -> Void)? {
    { self.completerDidUpdateResults($0) }
  }

  public var completer: MKLocalSearchCompleterDelegateCalls? {
    MKLocalSearchCompleterDelegateCalls(delegate: self)
  }
}

public struct MKLocalSearchCompleterDelegateCalls {
  let delegate: any MKLocalSearchCompleterDelegate

  public func callAsFunction(
    _ completer: MKLocalSearchCompleter, didFailWithError error: any Error
  ) {
    delegate.completer(completer, didFailWithError: error)
  }
}

/// Completes what somebody types. It waits until the text has settled for a moment, asks, and calls its
/// delegate on the main queue. The newest text wins.
// Unchecked: all that changes is behind a lock.
open class MKLocalSearchCompleter: NSObject, @unchecked Sendable {
  public struct ResultType: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let address = ResultType(rawValue: 1)
    public static let pointOfInterest = ResultType(rawValue: 2)
    public static let query = ResultType(rawValue: 4)
    /// A mountain or a lake, which the service tells apart from an address as little as a street.
    public static let physicalFeature = ResultType(rawValue: 8)
  }

  /// The older words for what a completer gives.
  public enum FilterType: Int, Sendable {
    case locationsAndQueries = 0
    case locationsOnly = 1
  }

  // Unchecked: the lock around it guards it; the delegate is the app's.
  private struct State: @unchecked Sendable {
    var fragment = ""
    var region: MKCoordinateRegion?
    var types: ResultType = [.address, .pointOfInterest, .query]
    var filter: MKPointOfInterestFilter?
    var priority = MKLocalSearchRegionPriority.default
    var addresses: MKAddressFilter?
    var results: [MKLocalSearchCompletion] = []
    var isSearching = false
    /// Counts changes: an answer to an older one is not told.
    var version = 0
    weak var delegate: (any MKLocalSearchCompleterDelegate)?
  }

  private let state = Guarded(State())
  private let client = PlacesClient.current
  private static let pause = DispatchTimeInterval.milliseconds(200)

  public override init() {}

  open weak var delegate: (any MKLocalSearchCompleterDelegate)? {
    get { state.withLock { $0.delegate } }
    set { state.withLock { $0.delegate = newValue } }
  }

  open var queryFragment: String {
    get { state.withLock { $0.fragment } }
    set { change { $0.fragment = newValue } }
  }

  /// Places near its center come first. The whole world until it is set.
  open var region: MKCoordinateRegion {
    get { state.withLock { $0.region } ?? MKCoordinateRegion(.world) }
    set { change { $0.region = newValue } }
  }

  open var resultTypes: ResultType {
    get { state.withLock { $0.types } }
    set { change { $0.types = newValue } }
  }

  open var pointOfInterestFilter: MKPointOfInterestFilter? {
    get { state.withLock { $0.filter } }
    set { change { $0.filter = newValue } }
  }

  /// The older words for the types.
  open var filterType: FilterType {
    get { resultTypes.contains(.query) ? .locationsAndQueries : .locationsOnly }
    set {
      if newValue == .locationsOnly {
        resultTypes.remove(.query)
      } else {
        resultTypes.insert(.query)
      }
    }
  }

  /// Without an effect: a completion has no place yet.
  open var regionPriority: MKLocalSearchRegionPriority {
    get { state.withLock { $0.priority } }
    set { state.withLock { $0.priority = newValue } }
  }

  /// Without an effect: the service has no words for it.
  open var addressFilter: MKAddressFilter? {
    get { state.withLock { $0.addresses } }
    set { state.withLock { $0.addresses = newValue } }
  }

  open var results: [MKLocalSearchCompletion] { state.withLock { $0.results } }
  open var isSearching: Bool { state.withLock { $0.isSearching } }

  open func cancel() {
    state.withLock {
      $0.version += 1
      $0.isSearching = false
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let (before, version, isEmpty) = state.withLock { state in
      let before = state.fragment
      body(&state)
      state.version += 1
      state.isSearching = !state.fragment.isEmpty
      return (before, state.version, state.fragment.isEmpty)
    }
    if isEmpty {
      // A filter of no text is none that anybody waits for.
      guard !before.isEmpty else { return }
      return finish(version, .failure(MKError(.serverFailure, "There is no text to complete.")))
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      self?.ask(version)
    }
  }

  private func ask(_ version: Int) {
    let (isNewest, fragment, region) = state.withLock {
      ($0.version == version, $0.fragment, $0.region)
    }
    guard isNewest else { return }
    var request = CompletionRequest(fragment.cut(toBytes: 256))
    request.locale = Locale?.none.tag
    request.near = region?.circle?.center
    client.ask(.complete(request)) { [weak self] answer in
      self?.finish(version, answer.map(Self.completions).mapError { MKError($0) })
    }
  }

  private static func completions(_ reply: PlaceReply) -> [Completion] {
    if case .completions(let lines) = reply { lines } else { [] }
  }

  private func finish(_ version: Int, _ result: Result<[Completion], MKError>) {
    DispatchQueue.main.async { [self] in
      let delegate: (any MKLocalSearchCompleterDelegate)?
      do {
        let found = try result.get()
        let wanted = state.withLock { state in
          let (types, filter) = (state.types, state.filter)
          return found.filter { types.includes($0.category, filter) }
        }
        let results = wanted.map { MKLocalSearchCompletion($0) }
        let told = take(version) { $0.results = results }
        guard told.isNewest else { return }
        delegate = told.delegate
        delegate?.completerDidUpdateResults(self)
      } catch {
        let told = take(version) { $0.results = [] }
        guard told.isNewest else { return }
        delegate = told.delegate
        delegate?.completer(self, didFailWithError: error)
      }
    }
  }

  private func take(
    _ version: Int, _ body: (inout State) -> Void
  ) -> (isNewest: Bool, delegate: (any MKLocalSearchCompleterDelegate)?) {
    state.withLock { state in
      guard state.version == version else { return (false, nil) }
      state.isSearching = false
      body(&state)
      return (true, state.delegate)
    }
  }
}

extension MKLocalSearchCompleter.ResultType {
  /// True for a result of a kind that is wanted. One that is no point of interest is an address; one whose kind is not
  /// said may be either, and is not of the kinds that a filter names.
  func includes(_ kind: String?, _ filter: MKPointOfInterestFilter?) -> Bool {
    guard let category = kind.flatMap(MKPointOfInterestCategory.init(kind:)) else {
      return filter?.namesKinds != true
        && (kind == nil || contains(.address) || contains(.physicalFeature))
    }
    return contains(.pointOfInterest) && filter?.excludes(category) != true
  }
}

extension String {
  /// The characters of it that fit, all of them whole.
  func cut(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var size = 0
    return String(
      prefix { character in
        size += character.utf8.count
        return size <= most
      })
  }
}
