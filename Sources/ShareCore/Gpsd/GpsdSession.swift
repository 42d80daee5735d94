package import LocationModel

/// A client of gpsd's protocol: what it watches, and what it may know.
package struct GpsdSession: Equatable, Sendable {
  /// The client's wishes, as `?WATCH` sets them and answers.
  package struct Policy: Equatable, Sendable {
    package var isOn = false
    package var json = false
    package var nmea = false
    package var raw: Int64 = 0
    var scaled = false
    var timing = false
    var split24 = false
    var pps = false
  }

  package private(set) var policy = Policy()
  /// The caller may be told what a receiver says.
  package var mayKnow = false
  /// The caller has been told a place since it watches, and may still know it.
  package var isCurrent = false
  /// The time since which the client has a receiver.
  private let began: Timestamp

  /// The name of the one receiver that there is.
  static let device = "locationd"

  package init(at now: Timestamp) { began = now }

  package var wantsJSON: Bool { policy.isOn && policy.json }
  /// gpsd gives the receiver's own bytes, which are NMEA here.
  package var wantsNMEA: Bool { policy.isOn && (policy.nmea || policy.raw > 0) }

  /// The newest reports, as they were told.
  package struct Newest {
    package var position: UnsafeRawBufferPointer
    package var deviations: UnsafeRawBufferPointer
    package var sky: UnsafeRawBufferPointer
  }

  /// `newest` is made for a poll alone.
  package mutating func answer(
    _ request: GpsdRequest, _ newest: @autoclosure () -> Newest?, at now: Timestamp,
    into reply: inout TextBuffer
  ) {
    switch request {
    case .version: reply.appendGpsdVersion()
    case .devices: appendDevices(to: &reply)
    case .device(let wish): appendDevice(wish, to: &reply)
    case .poll: appendPoll(newest(), at: now, to: &reply)
    case .watch(let wish):
      if let device = wish?["device"]?.string, !knows(device) {
        return reply.appendGpsdError("No such device as \(device.prefix(200))")
      }
      if let wish { policy.apply(wish) }
      if !policy.isOn { isCurrent = false }
      appendDevices(to: &reply)
      append(policy, to: &reply)
    case .malformed(let name): reply.appendGpsdError("Invalid \(name): it is no JSON object")
    case .unknown(let text): reply.appendGpsdError("Unrecognized request '\(text)'")
    }
  }

  private func knows(_ device: String) -> Bool {
    device.isEmpty || mayKnow && device == Self.device
  }
}

extension GpsdSession.Policy {
  /// A wish that is not said stays as it was; without `enable` it is yes.
  fileprivate mutating func apply(_ wish: JSON) {
    isOn = wish["enable"]?.bool ?? true
    json = wish["json"]?.bool ?? json
    nmea = wish["nmea"]?.bool ?? nmea
    // gpsd does not take `true` for a number.
    if let level = wish["raw"] { raw = level.integer.map { min(max($0, 0), 2) } ?? 0 }
    scaled = wish["scaled"]?.bool ?? scaled
    timing = wish["timing"]?.bool ?? timing
    split24 = wish["split24"]?.bool ?? split24
    pps = wish["pps"]?.bool ?? pps
  }
}

// MARK: - Answers

extension GpsdSession {
  /// The caller has come to know: its receiver is there.
  package func appendDevice(to reply: inout TextBuffer) {
    appendDeviceObject(to: &reply)
    reply.append("\r\n")
  }

  private func appendDeviceObject(to reply: inout TextBuffer) {
    reply.append("{\"class\":\"DEVICE\",\"path\":\"")
    reply.append(Self.device)
    reply.append("\",\"driver\":\"NMEA0183\",\"activated\":\"")
    reply.append(began)
    reply.append("\",\"flags\":1}")
  }

  /// Without a permission there is no receiver, and nothing tells since when.
  private func appendDevices(to reply: inout TextBuffer) {
    reply.append("{\"class\":\"DEVICES\",\"devices\":[")
    if mayKnow { appendDeviceObject(to: &reply) }
    reply.append("]}\r\n")
  }

  /// The device stays as it is, whatever the request would change.
  private func appendDevice(_ wish: JSON?, to reply: inout TextBuffer) {
    if let path = wish?["path"]?.string, !knows(path) {
      return reply.appendGpsdError("No such device as \(path.prefix(200))")
    }
    guard mayKnow else {
      return reply.appendGpsdError("Can't perform DEVICE configuration, no devices attached.")
    }
    appendDevice(to: &reply)
  }

  private func append(_ policy: Policy, to reply: inout TextBuffer) {
    func say(_ name: StaticString, _ isOn: Bool) {
      reply.append(name)
      reply.append(isOn ? "true" : "false")
    }
    say("{\"class\":\"WATCH\",\"enable\":", policy.isOn)
    say(",\"json\":", policy.json)
    say(",\"nmea\":", policy.nmea)
    reply.append(",\"raw\":")
    reply.append(integer: policy.raw)
    say(",\"scaled\":", policy.scaled)
    say(",\"timing\":", policy.timing)
    say(",\"split24\":", policy.split24)
    say(",\"pps\":", policy.pps)
    reply.append("}\r\n")
  }

  private func appendPoll(
    _ newest: Newest?, at now: Timestamp, to reply: inout TextBuffer
  ) {
    let shown = mayKnow && isCurrent && policy.isOn ? newest : nil
    reply.append("{\"class\":\"POLL\",\"time\":\"")
    reply.append(now)
    reply.append("\",\"active\":")
    reply.append(mayKnow && policy.isOn ? "1" : "0")
    reply.append(",\"tpv\":[")
    if let shown { reply.append(shown.position) }
    reply.append("],\"gst\":[")
    if let shown { reply.append(shown.deviations) }
    reply.append("],\"sky\":[")
    if let shown { reply.append(shown.sky) }
    reply.append("]}\r\n")
  }
}

extension TextBuffer {
  /// The release whose words these are: clients compare it with their own.
  package mutating func appendGpsdVersion() {
    append(
      "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
    )
  }

  mutating func appendGpsdError(_ message: String) {
    append("{\"class\":\"ERROR\",\"message\":")
    append(quoted: message)
    append("}\r\n")
  }
}
