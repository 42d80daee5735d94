import LocationModel
import Platform
import ShareCore

/// The programs that hear at an address of the network.
final class DatagramReader: LineReader {
  let number: Int64
  let door = ShareDoorKind.nmea
  let place: String?
  private let datagrams: OutgoingDatagrams
  var mayKnow = false

  init(_ number: Int64, _ address: Configuration.Address) throws(SystemError) {
    self.number = number
    place = "udp:\(address.name)"
    datagrams = try OutgoingDatagrams(address: address.host, port: address.port)
  }

  /// Sends a datagram for each sentence.
  func send(_ sentences: UnsafeRawBufferPointer) {
    var rest = sentences
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      datagrams.send(UnsafeRawBufferPointer(rebasing: rest[...end]))
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }
  }
}

/// The programs that open the path of a pseudo-terminal.
final class TerminalReader: LineReader {
  let number: Int64
  let door = ShareDoorKind.nmea
  let place: String?
  private let terminal: PseudoTerminal
  var mayKnow = false

  init(_ number: Int64, at path: String, mode: UInt32) throws(SystemError) {
    self.number = number
    place = "pty:\(path)"
    terminal = try PseudoTerminal(at: path, mode: mode)
  }

  func send(_ sentences: UnsafeRawBufferPointer) { terminal.write(sentences) }

  func stop() { terminal.drop() }
}

/// Programs at other machines. Each has a connection of its own: the line names the network to those who look.
final class NetworkLine: LineReader {
  let number: Int64
  let door = ShareDoorKind.gpsd
  let network: NetworkRange
  var place: String? { network.name }
  /// The receiver may sleep until a program comes.
  let isWatching = false
  var mayKnow = false

  init(_ number: Int64, _ network: NetworkRange) {
    self.number = number
    self.network = network
  }

  func send(_ sentences: UnsafeRawBufferPointer) {}
}

/// chrony, which is told no place.
final class ChronyReader: LineReader {
  let number: Int64
  let door = ShareDoorKind.chrony
  let place: String?
  private let datagrams: UnixDatagrams
  private let log: Log
  private var feed = ChronyFeed()
  var mayKnow = false
  private var trouble: String?

  init(_ number: Int64, at path: String, _ log: Log) throws(SystemError) {
    self.number = number
    self.log = log
    place = "chrony:\(path)"
    datagrams = try UnixDatagrams(to: path)
  }

  /// The row of good epochs begins anew.
  func stop() { feed = ChronyFeed() }

  /// chrony is told no sentences.
  func send(_ sentences: UnsafeRawBufferPointer) {}

  /// A sample that chronyd is not there for is lost: it would be late.
  func tell(_: ReceiverWords, _ epoch: SharedEpoch) {
    guard mayKnow, let sample = feed.sample(of: epoch.fix) else { return }
    do throws(SystemError) {
      try datagrams.send(sample.datagram)
      if trouble != nil { log.notice("chronyd takes samples") }
      trouble = nil
    } catch {
      let why = "\(error)"
      if trouble != why { log.warning("chronyd takes no samples: \(why)") }
      trouble = why
    }
  }
}
