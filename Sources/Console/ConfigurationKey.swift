package import LocationModel

/// A key of the configuration files: where it stands, and what it sets.
package struct ConfigurationKey<Configuration> {
  /// Takes the text, the NAME of a section that has one, and the configuration that the text changes.
  package typealias Assign = (String, String, inout Configuration) throws(Unusable) -> Void

  package let section: String
  package let name: String
  /// Each section has a NAME after its word: `[Section NAME]`.
  let isNamed: Bool
  private let change: Assign

  package init(
    _ section: String, isNamed: Bool = false, _ name: String, _ change: @escaping Assign
  ) {
    self.section = section
    self.isNamed = isNamed
    self.name = name
    self.change = change
  }

  package func assign(
    _ text: String, _ name: String, _ configuration: inout Configuration
  ) throws(Unusable) {
    try change(text, name, &configuration)
  }

  /// An empty text brings back the standard.
  package init<Value>(
    _ section: String, _ name: String, _ place: WritableKeyPath<Configuration, Value>,
    _ value: ConfigurationValue<Value>, standard: Value
  ) {
    self.init(section, name) { (text, _, configuration) throws(Unusable) in
      configuration[keyPath: place] = text.isEmpty ? standard : try value.parse("\(name)=", text)
    }
  }

  /// An empty text is none.
  package init<Value>(
    _ section: String, _ name: String, _ place: WritableKeyPath<Configuration, Value?>,
    _ value: ConfigurationValue<Value>
  ) {
    self.init(section, name) { (text, _, configuration) throws(Unusable) in
      configuration[keyPath: place] = text.isEmpty ? nil : try value.parse("\(name)=", text)
    }
  }
}

extension ConfigurationKey where Configuration: Configurable {
  /// An empty text brings back what holds without any file.
  package init<Value>(
    _ section: String, _ name: String, _ place: WritableKeyPath<Configuration, Value>,
    _ value: ConfigurationValue<Value>
  ) {
    self.init(section, name, place, value, standard: Configuration()[keyPath: place])
  }
}
