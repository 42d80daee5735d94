internal import LocationModel
internal import Platform

/// A kind of file with places.
protocol PlaceFile {
  var dataSet: DataSet { get }
  init(path: String, limit: WorkLimit?) throws(DatabaseError)
}

/// A file with places, or why it cannot be used.
struct OpenedFile<Content: PlaceFile> {
  let path: String
  private let identity: PathIdentity
  let result: Result<Content, DatabaseError>

  /// `known`: what was opened before, as long as it is the same file. Nil where there is none.
  init?(_ path: String?, _ known: OpenedFile?, _ limit: WorkLimit?) {
    guard let path, let identity = PathIdentity(of: path) else { return nil }
    if let known, known.path == path, known.identity == identity {
      self = known
      return
    }
    (self.path, self.identity) = (path, identity)
    result = Result { () throws(DatabaseError) in try Content(path: path, limit: limit) }
  }

  /// `place`: where it is, as the trouble tells it.
  func dataSet(named name: String, at place: String?) -> DataSet {
    switch result {
    case .success(let file): file.dataSet
    case .failure(let error):
      DataSet(
        name: name, date: "", licence: "", attribution: "", places: 0,
        trouble: place.map { "\($0): \(error)" } ?? "\(error)")
    }
  }
}
