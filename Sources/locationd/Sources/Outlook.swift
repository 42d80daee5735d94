import LocationModel
import ReceiverCore

extension [SourceStatus] {
  /// Why there is no fix, in words for everyone who may know the location: nil where there are fixes, or
  /// nobody needs any.
  var whyNoFix: String? {
    let receivers = filter {
      $0.name != SourceURL.compassName && $0.name != SourceURL.beaconsName
    }
    guard !receivers.isEmpty else { return "no source is configured" }
    guard !receivers.contains(where: { $0.state == .running && !$0.isSilent }) else { return nil }
    let reasons = receivers.map { source in
      source.whyNoFix.map { "\(source.name): \($0)" }
    }
    // One that nobody needs now may well have fixes.
    return reasons.contains(nil) ? nil : reasons.compactMap { $0 }.joined(separator: "; ")
  }
}

extension [SourceStatus] {
  /// The sky as the receiver sees it that is believed, else any that sees one.
  var sky: SkyStatus? {
    let seeing = filter { !$0.details.satellites.isEmpty }
    guard let source = seeing.first(where: \.isChosen) ?? seeing.first else { return nil }
    return SkyStatus(satellites: source.details.satellites, dilution: source.details.dilution)
  }
}

extension SourceStatus {
  private static let longSilence = 20.0

  fileprivate var isSilent: Bool { (lastFixAge ?? .infinity) > Self.longSilence }

  fileprivate var whyNoFix: String? {
    switch state {
    case .closed: details.remark
    case .resting: nil
    case .failed(let reason): details.remark.map { "\(reason); \($0)" } ?? reason
    case .waiting, .running:
      details.remark ?? lastFixAge.map { "not heard for \(Int($0)) s" } ?? "no fix yet"
    }
  }
}

extension Status {
  /// Adds what only the sources and the share's door know, for those who may see them.
  /// The sources that are shown are some of these, in their order.
  mutating func count(_ all: [(name: String, source: any Source)], slow: Int?) {
    counters?.slow = slow ?? 0
    var i = 0
    for (name, source) in all
    where self.sources?.indices.contains(i) == true && self.sources?[i].name == name {
      defer { i += 1 }
      self.sources?[i].counters = source.counters?.json
      let remark = self.sources?[i].details.remark
      self.sources?[i].details = source.details
      if source.details.remark == nil { self.sources?[i].details.remark = remark }
    }
  }
}
