import CGPS
import LocationModel

/// Unpacks gpsd's reports with libgps.
struct GpsdUnpacker: ~Copyable {
  /// Some 24 kB, of a layout that changes with each version of libgps: nobody else sees it.
  private let data = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
  private var gate = GpsdGate(mostSatellites: Int(MAXCHANNELS))

  deinit { data.deallocate() }

  mutating func unpack(_ report: JSON, as kind: GpsdReport.Class) -> GpsdReport {
    gate.write(report, as: kind)
    // libgps keeps what a report does not say, and its union what another kind of report said.
    UnsafeMutableRawPointer(data)
      .initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<gps_data_t>.size)
    gate.text.bytes.withMemoryRebound(to: CChar.self) {
      _ = gps_unpack(UnsafeMutablePointer(mutating: $0.baseAddress), data)
    }
    switch kind {
    case .position: return .position(position)
    case .sky:
      var sky = GpsdReport.Sky(dilution: dilution)
      // libgps has 0 where there is no list, too.
      if report["satellites"]?.array != nil {
        sky.satellitesUsed = Int(data.pointee.satellites_used)
        sky.satellitesInView = Int(data.pointee.satellites_visible)
      }
      return .sky(sky)
    case .noise: return .noise(noise)
    case .attitude:
      let attitude = data.pointee.attitude
      return .attitude(
        .init(
          time: Timestamp(attitude.mtime), heading: known(attitude.heading),
          // libgps 3.22 does not know it; later gpsds say it.
          magneticHeading: report["mheading"]?.double))
    }
  }

  private var position: GpsdReport.Position {
    let fix = data.pointee.fix
    return .init(
      time: Timestamp(fix.time), mode: .init(rawValue: fix.mode) ?? .unseen,
      kind: Fix.Kind(gpsd: fix.status), latitude: known(fix.latitude),
      longitude: known(fix.longitude), altitude: known(fix.altMSL) ?? known(fix.altitude),
      ellipsoidalAltitude: known(fix.altHAE), horizontalError: known(fix.eph),
      eastError: known(fix.epx), northError: known(fix.epy), verticalError: known(fix.epv),
      speed: known(fix.speed), course: known(fix.track))
  }

  private var dilution: Dilution {
    let dop = data.pointee.dop
    return Dilution(
      horizontal: known(dop.hdop), vertical: known(dop.vdop), position: known(dop.pdop))
  }

  private var noise: GpsdReport.Noise {
    let gst = data.pointee.gst
    return .init(
      time: Timestamp(gst.utctime), latitude: known(gst.lat_err_deviation),
      longitude: known(gst.lon_err_deviation), altitude: known(gst.alt_err_deviation),
      major: known(gst.smajor_deviation), minor: known(gst.sminor_deviation))
  }

  /// libgps has NaN for what is not said.
  private func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
}

extension Timestamp {
  /// libgps has 0 for no time, and cuts a fraction off that may be a nanosecond short.
  fileprivate init?(_ time: timespec_t) {
    guard time.tv_sec > 0 else { return nil }
    self.init(
      microseconds: Int64(time.tv_sec) * 1_000_000 + (Int64(time.tv_nsec) + 500) / 1000)
  }
}

extension Fix.Kind {
  /// The names of these numbers are others in later versions of libgps; 0 says nothing.
  fileprivate init?(gpsd status: Int32) {
    switch status {
    case 0: return nil
    case 2: self = .differential
    case 3: self = .rtkFixed
    case 4: self = .rtkFloat
    case 5, 6: self = .estimated
    case 8: self = .simulated
    default: self = .autonomous
    }
  }
}
