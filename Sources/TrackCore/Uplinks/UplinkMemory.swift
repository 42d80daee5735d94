/// The disk's knowledge of one server.
package struct UplinkMemory: Equatable, Sendable {
  package var confirmed = Confirmed()
  /// The entries of the message that is under way, or was when the program ended.
  package var sending: ClosedRange<Int64>?
  /// The entries that the server will never take.
  package var parked = Parked()
  /// The bytes that it was sent, as its budget writes them.
  package var usage: String?
  /// The memory of the brokers.
  package var broker: String?
  /// An older tracker's word that the broker has a place to clear.
  package var clearsPlace = false

  package init() {}
}
