package import LocationModel

/// All places that this disk knows: the world, and the extracts that were imported.
package final class Atlas {
  package private(set) var dataSets: [DataSet] = []
  private let folders: [String]

  package init(folders: [String]) {
    self.folders = folders
    refresh()
  }

  /// Opens files that have come, and lets go of those that are gone.
  package func refresh() {}

  package func geocode(_ request: GeocodeRequest) throws(Refusal) -> [Placemark] {
    throw empty
  }

  package func reverse(_ request: ReverseRequest) throws(Refusal) -> [Placemark] {
    throw empty
  }

  package func complete(_ request: CompletionRequest) throws(Refusal) -> [Completion] {
    throw empty
  }

  package func search(_ request: SearchRequest) throws(Refusal) -> [Placemark] {
    throw empty
  }

  private var empty: Refusal {
    Refusal(.failed, "There is no data of places in \(folders.joined(separator: ", ")).")
  }
}
