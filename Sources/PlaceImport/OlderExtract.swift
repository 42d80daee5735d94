internal import LocationModel
internal import PlaceStore
internal import Platform

/// The extract that an update takes the place of.
struct OlderExtract {
  private let name: String
  private let extract: Extract

  /// `day`: of the file that is to take its place, which must not be older.
  init(_ path: String, _ name: String, day: String) throws(ImportJob.Failure) {
    self.name = name
    guard File.isThere(path) else {
      throw Self.failure("There is no extract '\(name)': 'places import' makes it.")
    }
    do throws(DatabaseError) { extract = try Extract(path: path) } catch {
      throw Self.failure("'\(name)' cannot be updated: \(error). 'places import' makes it anew.")
    }
    let own = extract.dataSet.date
    guard !day.isEmpty else {
      throw Self.failure(
        "The file does not say of which day it is; 'places import' takes it all the same.")
    }
    guard day >= own else {
      throw Self.failure("'\(name)' is of \(own) already, and the file is older, of \(day).")
    }
  }

  private static func failure(_ words: String) -> ImportJob.Failure {
    ImportJob.Failure(description: words)
  }

  /// The changes, in a sentence.
  func changes(
    in builder: DatabaseBuilder, count: Int64, day: String
  ) throws(DatabaseError) -> String {
    let dates =
      day == extract.dataSet.date ? "of \(day) still" : "of \(extract.dataSet.date), now \(day)"
    let places = "\(extract.dataSet.places) places, now \(count)"
    guard extract.hasNumbers else { return "\(name): \(dates); \(places)." }
    let (come, gone) = try difference(builder)
    // A thing of the map may be several places: the numbers do not add up to those of the places.
    return "\(name): \(dates); \(places). The map's things: \(come) have come, \(gone) are gone."
  }

  /// Things are told apart by OpenStreetMap's numbers: both files are walked in their order.
  private func difference(_ builder: DatabaseBuilder) throws(DatabaseError) -> (Int, Int) {
    var before = Walk { (last) throws(DatabaseError) in try extract.numbers(after: last) }
    var now = Walk { (last) throws(DatabaseError) in
      var page: [Int64] = []
      try builder.each(Extract.numbersAfter, [.integer(last)]) { page += [$0[0].integer ?? .max] }
      return page
    }
    var (come, gone) = (0, 0)
    var (old, new) = (try before.next(), try now.next())
    while old != nil || new != nil {
      let (left, right) = (old ?? .max, new ?? .max)
      if left < right { gone += 1 }
      if right < left { come += 1 }
      if left <= right { old = try before.next() }
      if right <= left { new = try now.next() }
    }
    return (come, gone)
  }

  /// Numbers in their order, a page at a time.
  private struct Walk {
    let more: (Int64) throws(DatabaseError) -> [Int64]
    private var page: [Int64] = []
    private var index = 0
    private var last: Int64 = -1

    init(_ more: @escaping (Int64) throws(DatabaseError) -> [Int64]) { self.more = more }

    mutating func next() throws(DatabaseError) -> Int64? {
      if index == page.count { (page, index) = (try more(last), 0) }
      guard page.indices.contains(index) else { return nil }
      last = page[index]
      index += 1
      return last
    }
  }
}
