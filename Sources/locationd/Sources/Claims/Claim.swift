/// A device that another program says is its.
struct Claim: Equatable {
  enum Owner: Equatable {
    case gpsd
    /// ModemManager, which has it for a modem, also while that one is off and nobody has it open.
    case modem(Port)
  }

  /// A modem's use of the port.
  enum Port: Equatable {
    /// To be spoken to: nobody else may.
    case control
    /// The modem's receiver speaks there, and ModemManager reads it or leaves that to others.
    case receiver(isRead: Bool)
    /// Nothing that ModemManager knows of.
    case ignored
  }

  var path: String
  var owner: Owner

  /// Why it is left alone; nil where one that is named is read all the same, if nobody has it open.
  func whyNot(isAny: Bool) -> String? {
    switch owner {
    case .gpsd: Self.isGpsds
    case .modem(.receiver(isRead: true)):
      "ModemManager reads it; mmcli --location-enable-gps-unmanaged has it left to others"
    case .modem(.control): "ModemManager has it, for a modem"
    case .modem(.receiver), .modem(.ignored):
      isAny ? "ModemManager has it, for a modem; name it if a receiver speaks there" : nil
    }
  }

  static let isGpsds = "gpsd has it; a source gpsd://localhost reads it there"
}
