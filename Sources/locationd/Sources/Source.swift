import LocationCore
import Platform

/// Where fixes come from. Closed, it holds nothing open and wakes nobody.
protocol Source: AnyObject {
  func open()
  func close()
  /// How what it says fared; nil where nothing is read.
  var counters: ReceiverCounters? { get }
}

func makeSource(
  _ url: SourceURL, id: SourceID, with resolver: Resolver, on loop: EventLoop,
  post: @escaping (Input) -> Void
) throws(SystemError) -> any Source {
  switch url {
  case .replay(let recording): try ReplaySource(recording, id: id, on: loop, post: post)
  case .receiver(let receiver):
    try ReceiverSource(receiver, id: id, with: resolver, on: loop, post: post)
  case .fixed(let place): try StaticSource(place, id: id, on: loop, post: post)
  }
}
