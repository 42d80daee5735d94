import LocationModel

/// A report of gpsd about one of its receivers. Nil is what it does not say.
enum GpsdReport: Equatable {
  case position(Position)
  case sky(Sky)
  case noise(Noise)
  case attitude(Attitude)

  /// The classes of the reports, as gpsd names them.
  enum Class: String {
    case position = "TPV"
    case sky = "SKY"
    case noise = "GST"
    case attitude = "ATT"
  }

  enum Mode: Int32 {
    case unseen, noFix, in2D, in3D

    var isFix: Bool { self == .in2D || self == .in3D }
  }

  /// Time, position and velocity; lengths are in metres.
  struct Position: Equatable {
    var time: Timestamp?
    var mode = Mode.unseen
    var kind: Fix.Kind?
    var latitude: Double?
    var longitude: Double?
    /// Above mean sea level.
    var altitude: Double?
    var ellipsoidalAltitude: Double?
    /// Errors of 95 %.
    var horizontalError: Double?
    var eastError: Double?
    var northError: Double?
    var verticalError: Double?
    /// In metres a second.
    var speed: Double?
    var course: Double?
  }

  struct Sky: Equatable {
    var dilution = Dilution()
    var satellitesUsed: Int?
    var satellitesInView: Int?
    var satellites: [Satellite] = []
  }

  struct Noise: Equatable {
    var time: Timestamp?
    var deviations = Deviations()
  }

  struct Attitude: Equatable {
    var time: Timestamp?
    var heading: Double?
    var magneticHeading: Double?
  }
}

extension GpsdReport.Position {
  /// Adds what another report of the same epoch says; the time stays.
  mutating func merge(_ later: Self) {
    if later.mode != .unseen { mode = later.mode }
    kind = later.kind ?? kind
    latitude = later.latitude ?? latitude
    longitude = later.longitude ?? longitude
    altitude = later.altitude ?? altitude
    ellipsoidalAltitude = later.ellipsoidalAltitude ?? ellipsoidalAltitude
    horizontalError = later.horizontalError ?? horizontalError
    eastError = later.eastError ?? eastError
    northError = later.northError ?? northError
    verticalError = later.verticalError ?? verticalError
    speed = later.speed ?? speed
    course = later.course ?? course
  }
}
