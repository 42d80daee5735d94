/// Details that only a source itself knows; nil where they are unknown.
package struct SourceDetails: Equatable, Sendable {
  /// The device, or the sender, that is read.
  package var device: String?
  /// The speed of a serial line, in baud.
  package var baud: Int?
  /// The receiver's language.
  package var language: String?
  /// Fixes a second, of late.
  package var rate: Double?
  /// How the last fix came about.
  package var kind: String?
  package var satellitesUsed: Int?
  package var satellitesInView: Int?
  /// Each of them; a place could be told from where they stand.
  package var satellites: [Satellite] = []
  package var dilution = Dilution()
  /// Why there is no fix, or what else a person had better know.
  package var remark: String?
  /// Seconds until it is looked for again.
  package var nextRetry: Double?

  package init() {}
}

extension SourceDetails {
  var members: [JSON.Member] {
    let json: JSON = [
      "device": device.map(JSON.string), "baud": baud.map(JSON.init),
      "protocol": language.map(JSON.string), "rate": rate.map { JSON(rounding: $0) },
      "fixKind": kind.map(JSON.string), "satellitesUsed": satellitesUsed.map(JSON.init),
      "satellitesInView": satellitesInView.map(JSON.init),
      "horizontalDilution": dilution.horizontal.map { JSON(rounding: $0) },
      "verticalDilution": dilution.vertical.map { JSON(rounding: $0) },
      "positionDilution": dilution.position.map { JSON(rounding: $0) },
      "remark": remark.map(JSON.string), "nextRetry": nextRetry.map { JSON(rounding: $0) },
    ]
    return json.members ?? []
  }

  init(_ json: JSON) {
    device = json["device"]?.string
    baud = json["baud"]?.integer.flatMap { Int(exactly: $0) }
    language = json["protocol"]?.string
    rate = json["rate"]?.double
    kind = json["fixKind"]?.string
    satellitesUsed = json["satellitesUsed"]?.integer.flatMap { Int(exactly: $0) }
    satellitesInView = json["satellitesInView"]?.integer.flatMap { Int(exactly: $0) }
    dilution.horizontal = json["horizontalDilution"]?.double
    dilution.vertical = json["verticalDilution"]?.double
    dilution.position = json["positionDilution"]?.double
    remark = json["remark"]?.string
    nextRetry = json["nextRetry"]?.double
  }
}

extension JSON {
  fileprivate init(_ value: Int) { self = .integer(Int64(value)) }

  fileprivate init(rounding value: Double) { self = .number((value * 100).rounded() / 100) }
}
