import LocationModel

extension SourceTable {
  /// No source can give a fix for now.
  var haveAllFailed: Bool {
    isSeeking
      && entries.allSatisfy {
        if case .failed = $0.state { return true }
        return !$0.source.kind.givesFixes || $0.source.kind == .radio && !knowsNetworks
      }
  }

  func isOpenRadio(_ id: SourceID) -> Bool {
    entries.contains { $0.source.id == id && $0.source.kind == .radio && $0.isOpen }
  }

  /// The radios that are there, and open for a client that needs a place.
  var neededRadios: [SourceID] { entries.filter(\.isNeededRadio).map(\.source.id) }

  /// Metres that they are to reach; nil where there are none.
  var radioDemand: Double? {
    for i in entries.indices where entries[i].isNeededRadio { return entries[i].demand?.accuracy }
    return nil
  }
}

extension SourceTable.Entry {
  fileprivate var isNeededRadio: Bool { source.kind == .radio && isFound && unneededSince == nil }
}
