package import LocationModel

/// The newest epoch in each form, made once for all who read it, and only where somebody does.
package final class ReceiverWords {
  private var epoch: SharedEpoch?
  private var satellites: [Satellite] = []
  private var skyTold: Boottime?
  private var isSkyDue = false

  private var positionText = TextBuffer()
  private var deviationsText = TextBuffer()
  private var skyText = TextBuffer()
  private var reportsText = TextBuffer()
  private var sentencesText = TextBuffer()
  private var made = (reports: false, sentences: false)
  private var noPositionText = TextBuffer(capacity: 64)
  private var noFixText = TextBuffer(capacity: 64)
  private var noFixReportText = TextBuffer(capacity: 64)
  private var isMissing = false
  /// How often each form has been made.
  private(set) var makings = (reports: 0, sentences: 0)

  /// The sky is told as often as most receivers tell it.
  private static let pause: Duration = .milliseconds(950)

  package init() {
    noFixText.appendNoFix()
    noPositionText.appendNoPosition()
    noFixReportText.append(noPositionText.bytes)
    noFixReportText.append("\r\n")
  }

  /// Forgets all that is known: another daemon tells from now on.
  package func forget() {
    epoch = nil
    satellites = []
    skyTold = nil
  }

  package func note(_ new: SharedEpoch, at now: Boottime) {
    epoch = new
    isMissing = false
    if let satellites = new.satellites { self.satellites = satellites }
    isSkyDue =
      !satellites.isEmpty
      && (new.satellites != nil || skyTold.map { now - $0 >= Self.pause } ?? true)
    if isSkyDue {
      skyTold = now
      // The sky of before is old, even where nobody reads this one.
      skyText.removeAll()
    }
    made = (false, false)
  }

  /// The fix is lost: a poll has no place until the next one.
  package func noteNoFix() { isMissing = true }

  /// Words that there is no fix.
  package var noFixReport: UnsafeRawBufferPointer { noFixReportText.bytes }
  package var noFixSentence: UnsafeRawBufferPointer { noFixText.bytes }

  /// gpsd's reports, each with its line end.
  package var reports: UnsafeRawBufferPointer {
    makeReports()
    return reportsText.bytes
  }

  /// NMEA's sentences.
  package var sentences: UnsafeRawBufferPointer {
    if let epoch, !made.sentences {
      made.sentences = true
      makings.sentences += 1
      sentencesText.removeAll()
      sentencesText.appendSentences(of: epoch, isSkyDue ? satellites : [], in: satellites)
    }
    return sentencesText.bytes
  }

  /// The newest reports, for a poll; nil where nothing is known.
  package var newest: GpsdSession.Newest? {
    guard epoch != nil else { return nil }
    makeReports()
    return .init(
      position: isMissing ? noPositionText.bytes : positionText.bytes,
      deviations: isMissing ? .init(start: nil, count: 0) : deviationsText.bytes,
      sky: skyText.bytes)
  }

  private func makeReports() {
    guard let epoch, !made.reports else { return }
    made.reports = true
    makings.reports += 1
    positionText.removeAll()
    positionText.appendPosition(of: epoch)
    reportsText.removeAll()
    reportsText.append(positionText.bytes)
    reportsText.append("\r\n")
    deviationsText.removeAll()
    if let deviations = epoch.fix.deviations {
      deviationsText.appendDeviations(deviations, of: epoch.fix)
      reportsText.append(deviationsText.bytes)
      reportsText.append("\r\n")
    }
    guard !satellites.isEmpty else { return skyText.removeAll() }
    guard isSkyDue || skyText.count == 0 else { return }
    skyText.removeAll()
    skyText.appendSky(satellites, of: epoch.fix)
    reportsText.append(skyText.bytes)
    reportsText.append("\r\n")
  }
}
