import LocationModel

/// Reads lines of JSON: what gpsd tells its clients, and locations as this project writes them.
struct LinesDecoder: ~Copyable {
  private(set) var counters = ReceiverCounters()
  private var lines = LineBuffer(longest: Self.longest)
  private var unpacker = GpsdUnpacker()
  private var gpsd = GpsdEpochs()

  /// gpsd's longest, of all satellites, are some twenty thousand.
  private static let longest = 1 << 17

  mutating func read(_ bytes: UnsafeRawBufferPointer, into readings: inout [Reading]) {
    counters.bytes += Int64(bytes.count)
    lines.append(bytes)
    decode(&readings)
  }

  mutating func flush(into readings: inout [Reading]) {
    lines.end()
    decode(&readings)
    let before = readings.count
    gpsd.send(into: &readings)
    counters.fixes += Int64(readings.count - before)
  }

  private mutating func decode(_ readings: inout [Reading]) {
    while let line = lines.next() {
      switch line {
      case .text(let text): decode(text, &readings)
      case .tooLong: counters.cut += 1
      }
    }
  }

  private mutating func decode(_ line: UnsafeRawBufferPointer, _ readings: inout [Reading]) {
    guard let first = line.first(where: { !$0.isSpace }) else { return }
    guard first == UInt8(ascii: "{"), let object = try? JSON(parsing: line) else {
      counters.malformed += 1
      return
    }
    counters.sentences += 1
    let before = readings.count
    if let name = object["class"]?.string {
      if let kind = GpsdReport.Class(rawValue: name) {
        let report = unpacker.unpack(object, as: kind)
        gpsd.add(report, of: object["device"]?.string, into: &readings)
      }
    } else if let scan = NetworkScan(recorded: object) {
      readings.append(.scan(scan))
    } else if let scan = BeaconScan(recorded: object) {
      readings.append(.beacons(scan))
    } else if let location = Location(recorded: object) {
      readings.append(.fix(Fix(location)))
    } else if object["latitude"]?.double == nil || (object["horizontalAccuracy"]?.double ?? 0) < 0,
      let moment = Timestamp(recorded: object["timestamp"])
    {
      readings.append(.clock(moment))
    } else {
      counters.malformed += 1
    }
    for reading in readings[before...] {
      switch reading {
      case .fix: counters.fixes += 1
      case .heading: counters.headings += 1
      case .scan, .beacons, .clock: break
      }
    }
  }
}

extension Location {
  /// A location of a recording, where what is unknown may also be null or -1, as Apple has it.
  fileprivate init?(recorded json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double,
      let timestamp = Timestamp(recorded: json["timestamp"])
    else { return nil }
    func known(_ key: String) -> Double? {
      json[key]?.double.flatMap { $0 >= 0 ? $0 : nil }
    }
    // One too small to be written would be none to the client.
    let accuracy = json["horizontalAccuracy"]?.double.map { $0 > 0 ? max($0, Accuracy.least) : $0 }
    self.init(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: accuracy ?? Accuracy.usual, timestamp: timestamp,
      source: json["source"]?.string ?? "", simulated: json["simulated"]?.bool ?? false)
    verticalAccuracy = known("verticalAccuracy")
    // An accuracy of -1 says that the altitude is none either.
    if verticalAccuracy != nil || json["verticalAccuracy"]?.double == nil {
      altitude = json["altitude"]?.double
      ellipsoidalAltitude = json["ellipsoidalAltitude"]?.double
    }
    speed = known("speed")
    speedAccuracy = known("speedAccuracy")
    course = known("course").flatMap(\.direction)
    courseAccuracy = known("courseAccuracy")
    guard isValid else { return nil }
  }
}

extension NetworkScan {
  /// A scan as ichnaea's protocol has its networks, each with its name besides.
  fileprivate init?(recorded json: JSON) {
    guard let networks = json["wifi"]?.array, let timestamp = Timestamp(recorded: json["timestamp"])
    else { return nil }
    self.init(networks.compactMap(HeardNetwork.init(recorded:)), timestamp: timestamp)
  }
}

extension HeardNetwork {
  fileprivate init?(recorded json: JSON) {
    guard let address = json["macAddress"]?.string.flatMap(HeardNetwork.address),
      let name = json["ssid"]?.string, let signal = json["signalStrength"]?.double
    else { return nil }
    self.init(
      address: address, name: name.utf8, signal: signal,
      frequency: json["frequency"]?.integer.map(Int.init),
      age: Duration(clamping: (json["age"]?.double ?? 0) / 1000))
  }
}

extension BeaconScan {
  /// Beacons that were heard, each with the power that it says and, where it is known, its strength.
  fileprivate init?(recorded json: JSON) {
    guard let beacons = json["beacons"]?.array,
      let timestamp = Timestamp(recorded: json["timestamp"])
    else { return nil }
    self.init(beacons.compactMap(BeaconReport.init(recorded:)), timestamp: timestamp)
  }
}

extension BeaconReport {
  fileprivate init?(recorded json: JSON) {
    guard let frame = try? BeaconFrame(json) else { return nil }
    self.init(
      frame, rssi: json["rssi"]?.integer.flatMap { Int(exactly: $0) })
  }
}

extension Timestamp {
  /// ISO 8601, or seconds since the Unix epoch; nil for a date that stands for none.
  init?(recorded json: JSON?) {
    switch json {
    case .string(let text): self.init(iso8601: text)
    case .integer, .number:
      guard let seconds = json?.double, abs(seconds) < 1e11 else { return nil }
      self.init(microseconds: Int64((seconds * 1e6).rounded()))
      guard isPlausible else { return nil }
    default: return nil
    }
  }
}
