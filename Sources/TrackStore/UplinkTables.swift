package import Platform
package import TrackCore

extension TrackStore {
  /// Notes the entries that a server has confirmed. After a loss of power it may be sent some again.
  package func save(
    _ confirmed: Confirmed, sending: ClosedRange<Int64>? = nil, of uplink: String,
    _ body: @escaping (DatabaseError?) -> Void
  ) {
    uplinks[uplink, default: .init()].confirmed = confirmed
    uplinks[uplink]?.sending = sending
    let range = sending.map { DatabaseValue.text("\($0.lowerBound)-\($0.upperBound)") } ?? .null
    replace("uplinks", [.text(uplink), .text(confirmed.text), range], body)
  }

  /// An entry that a server will never take.
  package func park(_ number: Int64, of uplink: String, because reason: String) {
    uplinks[uplink, default: .init()].parked += 1
    replace("parked", [.text(uplink), .integer(number), .text(reason)])
  }

  package func save(usage text: String, of uplink: String) {
    uplinks[uplink, default: .init()].usage = text
    replace("usage", [.text(uplink), .text(text)])
  }

  /// A killed program finds it there once that is answered.
  package func save(
    broker text: String, of uplink: String, _ body: @escaping (DatabaseError?) -> Void
  ) {
    uplinks[uplink, default: .init()].broker = text
    replace("brokers", [.text(uplink), .text(text)], body)
  }

  private func replace(
    _ table: String, _ values: [DatabaseValue],
    _ body: @escaping (DatabaseError?) -> Void = { _ in }
  ) {
    write([.replacing(table, values)], outlastsPower: false, body)
  }
}
