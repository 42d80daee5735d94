package import LocationModel

/// Requests that wait until the daemon reads on, with the connections that go with them. However long that is, a
/// program has two at most: what it has become takes the place of what it was.
package struct RequestQueue<Connection> {
  package typealias Item = (request: ShareRequest, connection: Connection?)

  private var items: [Item] = []

  package init() {}

  var count: Int { items.count }

  package mutating func append(_ request: ShareRequest, with connection: Connection? = nil) {
    switch request {
    case .client: break
    case .watch(let client, _):
      items.removeAll {
        if case .watch(client, _) = $0.request { true } else { false }
      }
    case .close(let client, _):
      let isUnknown = items.contains {
        if case .client(client, _, _) = $0.request { true } else { false }
      }
      items.removeAll { $0.request.number == client }
      // The daemon need not know of a program that has come and gone.
      if isUnknown { return }
    }
    items.append((request, connection))
  }

  package mutating func next() -> Item? { items.isEmpty ? nil : items.removeFirst() }
}

extension ShareRequest {
  /// The share's number for the program.
  fileprivate var number: Int64 {
    switch self {
    case .client(let number, _, _), .watch(let number, _), .close(let number, _): number
    }
  }
}
