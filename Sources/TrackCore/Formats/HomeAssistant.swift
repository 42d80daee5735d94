package import LocationModel

/// Messages by which Home Assistant finds the device by itself: MQTT discovery, as
/// https://www.home-assistant.io/integrations/mqtt has it. They say where its place, battery and regions are told, and
/// tell none of them.
package struct HomeAssistant: Sendable {
  private let topic: String
  private let device: String
  private let version: String
  private let isOurs: Bool
  /// The topic, of letters that every broker and Home Assistant take.
  private let node: String

  /// `topic`: the device's own at the broker, in `words`.
  package init(topic: String, device: String, words: UplinkAddress.Words, version: String) {
    (self.topic, self.device, self.version) = (topic, device, version)
    isOurs = words == .batchesMQTT
    node = "locationd_" + Self.plain(topic)
  }

  /// Each for its topic, where the broker retains it; nil takes away what stood there.
  package func messages(regions: [String], gone: [String]) -> [(topic: String, json: JSON?)] {
    let device = [place, battery, lastSeen].map { ($0.topic, Optional($0.json)) }
    return device + regions.map { (topic(of: $0), region($0)) } + gone.map { (topic(of: $0), nil) }
  }

  private static func plain(_ text: String) -> String {
    text.utf8.map { byte in
      let letter = Character(UnicodeScalar(byte))
      let isPlain = letter.isASCII && (letter.isLetter || letter.isNumber)
      return isPlain ? String(letter) : byte == UInt8(ascii: "/") ? "_" : "-\(byte)-"
    }.joined()
  }
}

extension HomeAssistant {
  private func config(_ component: String, _ object: String, _ more: JSON) -> (
    topic: String, json: JSON
  ) {
    let common: JSON = [
      "unique_id": .string("\(node)_\(object)"),
      "device": [
        "identifiers": .array([.string(node)]), "name": .string(device),
        "manufacturer": "locationd", "sw_version": .string(version),
      ],
      "origin": ["name": "locationd-tracker", "sw": .string(version)],
    ]
    return (
      "homeassistant/\(component)/\(node)/\(object)/config",
      .object((more.members ?? []) + (common.members ?? []))
    )
  }

  /// The newest entry of a message, or none; a will and commands have none.
  private var entry: String {
    isOurs
      ? "{% set e = (value_json.entries | default([]) | last) or value_json.heartbeat | default(none) %}"
      : "{% set e = value_json if value_json['_type'] == 'location' else none %}"
  }

  private var place: (topic: String, json: JSON) {
    let names =
      isOurs
      ? ["latitude", "longitude", "horizontalAccuracy", "altitude", "speed", "course"]
      : ["lat", "lon", "acc", "alt", "vel", "cog"]
    let keys = ["latitude", "longitude", "gps_accuracy", "altitude", "speed", "course"]
    let pairs = zip(keys, names).map { "'\($0)': e.\($1) | default(none)" }.joined(separator: ", ")
    let kept = keys.map { "'\($0)': this.attributes.\($0) | default(none)" }.joined(separator: ", ")
    return config(
      "device_tracker", "place",
      [
        "name": .null, "source_type": "gps", "json_attributes_topic": .string(topic),
        "json_attributes_template": .string(
          entry + "{{ ({\(pairs)} if e else {\(kept)}) | tojson }}"),
      ])
  }

  private var battery: (topic: String, json: JSON) {
    let name = isOurs ? "battery" : "batt"
    return config(
      "sensor", "battery",
      [
        "name": "Battery", "device_class": "battery", "unit_of_measurement": "%",
        "state_class": "measurement", "entity_category": "diagnostic",
        "state_topic": .string(topic),
        "value_template": .string(entry + "{{ e.\(name) if e and e.\(name) is defined }}"),
      ])
  }

  private var lastSeen: (topic: String, json: JSON) {
    let date =
      isOurs
      ? "e.timestamp"
      : "((e.created_at if e.created_at is defined else e.tst) | as_datetime).isoformat()"
    return config(
      "sensor", "seen",
      [
        "name": "Last seen", "device_class": "timestamp", "entity_category": "diagnostic",
        "state_topic": .string(topic),
        "value_template": .string(entry + "{{ \(date) if e else this.state }}"),
      ])
  }

  private func object(_ region: String) -> String { "region_" + Self.plain(region) }

  private func topic(of region: String) -> String {
    "homeassistant/binary_sensor/\(node)/\(object(region))/config"
  }

  /// Crossings are told at once, and each place names the regions that it lies in.
  private func region(_ name: String) -> JSON {
    let text = JSON.string(name).text
    let template =
      isOurs
      ? "{% if e %}{{ 'ON' if \(text) in e.inside | default([]) | map(attribute='name') else 'OFF' }}{% endif %}"
      : "{% if e %}{{ 'ON' if \(text) in e.inregions | default([]) else 'OFF' }}"
        + "{% elif value_json['_type'] == 'transition' and value_json.desc == \(text) %}"
        + "{{ 'ON' if value_json.event == 'enter' else 'OFF' }}{% endif %}"
    return config(
      "binary_sensor", object(name),
      [
        "name": .string(name), "device_class": "presence",
        "state_topic": .string(isOurs ? topic : topic + "/#"),
        "value_template": .string(entry + template),
      ]
    ).json
  }
}
