import LocationModel
package import Platform
package import TrackCore

extension TrackStore {
  /// A track has one name and one secret for ever.
  func nameTrack() {
    // They outlast what the entries outlast.
    if track.isEmpty {
      let number = Int64.random(in: 1 << 52..<1 << 53)
      track = Self.name(number)
      write([Self.set("track", number)], outlastsPower: false) { _ in }
    }
    if secret == 0 {
      let number = Int64.random(in: 1 ... .max)
      secret = UInt64(number)
      write([Self.set("secret", number)], outlastsPower: false) { _ in }
    }
  }

  /// Notes a pause, which outlasts the program once that is answered.
  package func save(_ pause: Silence.Pause, _ body: @escaping (DatabaseError?) -> Void) {
    self.pause = pause
    let dates = [("pausedFrom", pause.from), ("pausedUntil", pause.until)]
    write(
      dates.map { Self.set($0, $1.microseconds) }, outlastsPower: true, body)
  }

  static func name(_ number: Int64) -> String { String(number, radix: 16) }
}
