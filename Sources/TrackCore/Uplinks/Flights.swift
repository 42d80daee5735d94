/// The messages that are under way to a server, and the entries of each.
struct Flights: Sendable {
  private struct Flight: Sendable {
    var range: ClosedRange<Int64>
    /// The transport's number of the message, once it is sent.
    var receipt: Int?
  }

  private var flights: [Int: Flight] = [:]
  private var last = 0

  var count: Int { flights.count }
  var ranges: [ClosedRange<Int64>] { flights.values.map(\.range) }
  var entries: Int { ranges.reduce(0) { $0 + $1.count } }

  func range(of message: Int) -> ClosedRange<Int64>? { flights[message]?.range }

  func message(_ receipt: Int) -> Int? { flights.first { $0.value.receipt == receipt }?.key }

  /// The number of the message.
  mutating func begin(_ range: ClosedRange<Int64>) -> Int {
    last += 1
    flights[last] = Flight(range: range)
    return last
  }

  mutating func note(_ message: Int, receipt: Int) { flights[message]?.receipt = receipt }

  mutating func end(_ message: Int) -> ClosedRange<Int64>? {
    flights.removeValue(forKey: message)?.range
  }

  /// No answer is waited for any more.
  mutating func endAll() { flights = [:] }
}
