import Console
import Glibc
import LocationModel

/// Lines for a pipe or a file have no clock of their own.
protocol LineScreen: WatchScreen {}

extension LineScreen {
  var speech: Speech { .ofErrors }
  var tickMilliseconds: Int32? { nil }
  func begin() {}
  func show(obstacle: String?) {
    guard let obstacle else { return }
    let say = speech
    Output.complain(say("no location now: \(say(said: obstacle))"))
  }
  func tick() {}
  func end() {}
}

struct PlainLines: LineScreen {
  func show(_ event: Event) throws(Failure) {
    switch event {
    case .didUpdateLocations(let location, _): try Output.write(Describe.line(location))
    case .didUpdateHeading(let heading): try Output.write(Describe.line(heading))
    case .didFail(let refusal): Output.complain(Speech.ofErrors(said: refusal.message))
    case .didChangeAuthorization(let authorization, _):
      Output.complain(Speech.ofErrors("you are now \(authorization.rawValue)"))
    default: try Output.write(Describe.told(event))
    }
  }
}

struct JSONLines: LineScreen {
  /// Of places, where they are wanted.
  var names: PlaceNames?

  mutating func show(_ event: Event) throws(Failure) {
    var placemark: Placemark?
    if case .didUpdateLocations(let location, _) = event {
      placemark = names?.placemark(at: location.coordinate)
    }
    var line = TextBuffer()
    line.appendLine(event, at: .now, placemark: placemark)
    try Output.write(line.bytes)
  }
}

extension Timestamp {
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

/// Draws the panel in place, over itself.
struct PanelScreen: WatchScreen {
  /// Of places, where they are wanted.
  private var names: PlaceNames?
  private var panel = Panel()
  private var arrived: Double = 0

  init(names: PlaceNames? = nil) {
    self.names = names
    if names != nil { panel.name = "" }
  }

  var speech: Speech { .ofOutput }
  var tickMilliseconds: Int32? { 250 }

  mutating func begin() throws(Failure) {
    // No cursor while it is drawn, and room for it even on the last line.
    let room = String(repeating: "\n", count: Panel.height)
    try Output.draw("\u{1B}[?25l\(room)\u{1B}[\(Panel.height)A\u{1B}7")
  }

  mutating func show(_ event: Event) {
    switch event {
    case .didUpdateLocations(let location, _):
      panel.location = location
      panel.updates += 1
      if names != nil {
        panel.name = names?.placemark(at: location.coordinate).map(PlaceReport.line) ?? ""
      }
      panel.trouble = []
      arrived = .seconds
    case .didUpdateHeading(let heading): panel.heading = heading
    case .didFail(let refusal): panel.trouble = [speech(said: refusal.message)]
    case .didChangeAuthorization(let authorization, _):
      // A place that it may not know any more is not left standing.
      if authorization == .denied || authorization == .restricted { panel.location = nil }
    default: break
    }
  }

  mutating func show(obstacle: String?) {
    panel.trouble = obstacle.map { [speech(said: $0)] } ?? []
  }

  mutating func tick() throws(Failure) {
    panel.age = .seconds - arrived
    panel.columns = Terminal.columns
    panel.hasColour = Terminal.hasColour
    let drawing = panel.lines.map { "\r\u{1B}[2K\($0)\n" }.joined()
    try Output.draw("\(drawing)\u{1B}[\(Panel.height)A")
  }

  func end() {
    try? Output.draw("\u{1B}[\(Panel.height)B\r\u{1B}[?25h")
  }
}
