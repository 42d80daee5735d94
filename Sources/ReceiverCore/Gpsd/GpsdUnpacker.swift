import CGPS
import LocationModel

/// Unpacks gpsd's reports with libgps.
struct GpsdUnpacker: ~Copyable {
  private let unpacked = cgps_new()
  private var gate = GpsdGate(mostSatellites: Int(cgps_most_satellites()))

  deinit { cgps_free(unpacked) }

  mutating func unpack(_ report: JSON, as kind: GpsdReport.Class) -> GpsdReport {
    gate.write(report, as: kind)
    gate.text.bytes.withMemoryRebound(to: CChar.self) {
      if let line = $0.baseAddress { cgps_unpack(unpacked, line) }
    }
    switch kind {
    case .position: return .position(position)
    case .sky: return .sky(sky(of: report))
    case .noise: return .noise(noise)
    case .attitude:
      let attitude = cgps_attitude(unpacked)
      return .attitude(
        .init(
          time: time(attitude.time), heading: known(attitude.heading),
          // libgps 3.22 does not know it; later gpsds say it.
          magneticHeading: report["mheading"]?.double))
    }
  }

  private var position: GpsdReport.Position {
    let fix = cgps_position(unpacked)
    return .init(
      time: time(fix.time), mode: .init(rawValue: fix.mode) ?? .unseen,
      kind: Fix.Kind(gpsd: fix.status), latitude: known(fix.latitude),
      longitude: known(fix.longitude), altitude: known(fix.altitude_msl) ?? known(fix.altitude),
      ellipsoidalAltitude: known(fix.altitude_hae), horizontalError: known(fix.eph),
      eastError: known(fix.epx), northError: known(fix.epy), verticalError: known(fix.epv),
      speed: known(fix.speed), course: known(fix.track))
  }

  private func sky(of report: JSON) -> GpsdReport.Sky {
    let said = cgps_sky(unpacked)
    var sky = GpsdReport.Sky(
      dilution: Dilution(
        horizontal: known(said.hdop), vertical: known(said.vdop), position: known(said.pdop)))
    // libgps has 0 where there is no list, too.
    if report["satellites"]?.array != nil {
      sky.satellites = (0..<said.visible).map { satellite($0) }
      sky.satellitesUsed = Int(said.used)
      sky.satellitesInView = Int(said.visible)
    }
    return sky
  }

  private func satellite(_ index: Int32) -> Satellite {
    let one = cgps_satellite(unpacked, index)
    let number = Int(one.number)
    return Satellite(
      .init(gnss: Int(one.gnss), number: number), number,
      elevation: one.elevation, azimuth: one.azimuth, signal: one.signal, isUsed: one.used != 0)
  }

  private var noise: GpsdReport.Noise {
    let gst = cgps_noise(unpacked)
    var deviations = Deviations()
    deviations.ranges = known(gst.ranges)
    (deviations.major, deviations.minor) = (known(gst.major), known(gst.minor))
    deviations.orientation = known(gst.orientation)
    (deviations.latitude, deviations.longitude) = (known(gst.latitude), known(gst.longitude))
    deviations.altitude = known(gst.altitude)
    return .init(time: time(gst.time), deviations: deviations)
  }

  private func known(_ value: Double) -> Double? { value.isFinite ? value : nil }

  private func time(_ microseconds: Int64) -> Timestamp? {
    microseconds > 0 ? Timestamp(microseconds: microseconds) : nil
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
