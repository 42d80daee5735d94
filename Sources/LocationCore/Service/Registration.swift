import LocationModel

/// What one app wants to be told, also while none of its programs is connected.
struct Registration {
  /// Nil where it is not asked for.
  var significant: SignificantChange?
  var visits = false
  /// By identifier.
  var regions: [String: (region: Region, slot: Int32)] = [:]
  /// The number of the last event.
  var lastEvent: Int64 = 0
  /// Those not acknowledged, oldest first.
  var pending: [NumberedEvent] = []

  var isEmpty: Bool {
    significant == nil && !visits && regions.isEmpty && pending.isEmpty
  }

  var needsFixes: Bool { significant != nil || visits || !regions.isEmpty }
}

struct NumberedEvent {
  var number: Int64
  var event: Event
}
