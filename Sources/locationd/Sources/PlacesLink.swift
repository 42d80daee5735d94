import LocationClient
import LocationCore
import LocationModel
import Platform

/// Asks the service of places where networks are, by a connection for each question, so that the service may leave.
final class PlacesLink {
  private var link: Link?
  private var lines = LineBuffer(longest: longestAnswer)
  /// The question that waits for its answer.
  private var asked: (number: Int64, request: PlaceRequest)?
  private let post: (Input) -> Void

  private static let longestAnswer = 64 << 10

  init(
    with resolver: Resolver, at path: String = Peer.places.defaultPath,
    post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.post = post
    link = try Link(to: .unix(path: path), with: resolver) { [unowned self] in
      switch $0 {
      case .connected: send()
      case .received(let bytes): read(bytes)
      case .lost(let reason): end(.failure(Refusal(.network, reason)))
      }
    }
  }

  /// Tells the answer once, perhaps at once; a question before that still waits is let go of.
  func ask(_ number: Int64, _ question: GeolocateRequest) {
    link?.close()
    lines = LineBuffer(longest: Self.longestAnswer)
    asked = (number, .geolocate(question))
    link?.open()
  }

  private func send() {
    guard let asked else { return }
    link?.send(asked.request.line(id: .integer(asked.number)).text + "\n")
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    lines.append(bytes)
    guard let line = lines.next() else { return }
    guard case .text(let text) = line, let reply = UnreadReply(text) else {
      return end(.failure(.unreadableReply))
    }
    end(reply.result.flatMap(place))
  }

  private func place(_ result: UnsafeRawBufferPointer) -> Result<RadioPlace, Refusal> {
    guard let json = try? JSON(parsing: result),
      case .radioPlace(let place)? = try? asked?.request.reply(json)
    else { return .failure(.unreadableReply) }
    return .success(place)
  }

  private func end(_ result: Result<RadioPlace, Refusal>) {
    link?.close()
    if let asked {
      self.asked = nil
      post(.located(asked.number, result))
    }
  }
}
