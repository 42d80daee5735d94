/// The reason why a text that a person or a server wrote cannot be used.
package struct Unusable: Error, Equatable, CustomStringConvertible {
  package var what: String

  package init(what: String) { self.what = what }

  package var description: String { what }
}
