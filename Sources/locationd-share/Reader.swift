import LocationModel
import Platform
import ShareCore

/// A program that is told, or an administrator's line.
protocol Reader: AnyObject {
  /// The share's number for the reader.
  var number: Int64 { get }
  var door: ShareDoorKind { get }
  /// The administrator's line, for a door without callers.
  var place: String? { get }
  /// The connection that the daemon is to look at.
  var socket: ClientSocket? { get }
  /// The reader wants to be told.
  var isWatching: Bool { get }
  /// The daemon has said what the reader may know; nil while the daemon is not there.
  func admit(_ access: ShareClient?)
  /// Ends what leads to the reader: nothing more comes from there.
  func end()
  /// Drops what waits: it may not reach the reader any more.
  func stop()
  func tell(_ words: ReceiverWords, _ epoch: SharedEpoch)
  func tell(_ texts: borrowing HeadingWords)
  /// Says that there is no fix, to a reader that may know.
  func tellNoFix(_ words: ReceiverWords)
}

/// An administrator's line: its reader is there always, and known by no socket.
protocol LineReader: Reader {
  var mayKnow: Bool { get set }
  func send(_ sentences: UnsafeRawBufferPointer)
}

extension LineReader {
  var socket: ClientSocket? { nil }
  var isWatching: Bool { true }
  func admit(_ access: ShareClient?) {
    mayKnow = access?.mayKnow == true
    if !mayKnow { stop() }
  }
  func end() {}
  func stop() {}
  func tell(_ words: ReceiverWords, _: SharedEpoch) { tell(words.sentences) }
  func tell(_ texts: borrowing HeadingWords) { tell(texts.sentence.bytes) }
  func tellNoFix(_ words: ReceiverWords) { tell(words.noFixSentence) }
  private func tell(_ text: UnsafeRawBufferPointer) { if mayKnow { send(text) } }
}

/// A connection of a program.
final class ClientSocket {
  let descriptor: Descriptor
  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

/// A heading in each form.
struct HeadingWords: ~Copyable {
  var report = TextBuffer(capacity: 128)
  var sentence = TextBuffer(capacity: 64)

  init(_ heading: Heading) {
    report.appendAttitude(heading)
    report.append("\r\n")
    sentence.appendHDT(heading)
  }
}
