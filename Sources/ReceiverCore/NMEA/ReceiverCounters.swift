package import LocationModel

/// How a receiver's words fared, for `status`.
package struct ReceiverCounters: Equatable, Sendable {
  package var bytes: Int64 = 0
  /// Whole sentences that were believed, read or not.
  package var sentences: Int64 = 0
  package var badChecksums: Int64 = 0
  var missingChecksums: Int64 = 0
  /// Begun and never ended: by the next one's start, by noise, or too long.
  package var cut: Int64 = 0
  /// A field that is none, though the checksum holds.
  package var malformed: Int64 = 0
  /// Sentences of a type that says nothing of places.
  package var unused: Int64 = 0
  package var epochs: Int64 = 0
  package var fixes: Int64 = 0
  /// Epochs whose receiver said it has no fix, or did not say where.
  package var withoutFix: Int64 = 0
  /// Fixes with no date where none could be had.
  package var undated: Int64 = 0
  /// Fixes whose time was that of the fix before.
  package var standing: Int64 = 0
  /// Fixes without a time.
  package var timeless: Int64 = 0
  package var headings: Int64 = 0

  package init() {}

  package var json: JSON {
    [
      "bytes": .integer(bytes), "sentences": .integer(sentences),
      "refused": [
        "badChecksum": .integer(badChecksums), "missingChecksum": .integer(missingChecksums),
        "cut": .integer(cut), "malformed": .integer(malformed), "undated": .integer(undated),
      ],
      "unused": .integer(unused), "epochs": .integer(epochs), "fixes": .integer(fixes),
      "withoutFix": .integer(withoutFix), "standing": .integer(standing),
      "timeless": .integer(timeless), "headings": .integer(headings),
    ]
  }
}
