import Console
import Glibc
import LocationModel
import Platform

/// The unit locationd-timezone, as systemd has it.
struct TimezoneUnit {
  static let name = "locationd-timezone.service"
  static let app = "unit:locationd-timezone.service"

  private let properties: [String: String]

  init(_ text: String) {
    let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
    properties = Dictionary(
      pairs.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) },
      uniquingKeysWith: { $1 })
  }

  init() throws(Failure) {
    self.init(
      try Self.run([
        "show", "--property=LoadState,UnitFileState,ActiveState,StatusText", Self.name,
      ]))
  }

  /// The user that its package makes.
  static var uid: UInt32? { getpwnam("locationd-timezone").map { $0.pointee.pw_uid } }

  static func control(_ verb: String...) throws(Failure) {
    _ = try run(verb + ["--quiet", name])
  }

  private static func run(_ arguments: [String]) throws(Failure) -> String {
    let program: Subprocess
    do throws(SystemError) {
      program = try Subprocess("systemctl", arguments, input: .inherited, output: .pipe)
    } catch {
      throw Failure(.failed, "without systemd there is no service that follows: \(error)")
    }
    let output = LineReader(&program.output)
    var lines: [String] = []
    while output.isOpen {
      lines += output.lines()
      guard output.isOpen else { break }
      var end = pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&end, 1, -1)
    }
    // systemctl has said what is wrong.
    guard program.wait() == 0 else { throw Failure(.failed, "") }
    return lines.joined(separator: "\n")
  }
}

// MARK: - What it does

extension TimezoneUnit {
  var isInstalled: Bool { properties["LoadState"] == "loaded" }
  var follows: Bool { properties["UnitFileState"]?.hasPrefix("enabled") == true }
  var isRunning: Bool { properties["ActiveState"] == "active" }
  private var text: String? { properties["StatusText"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The machine's own, as programs find it.
  static var zone: String? {
    File.target(ofLink: "/etc/localtime").flatMap(ZoneName.init(ofFile:))?.text
  }

  /// This program's own, where it has a name.
  static var named: String? {
    guard let variable = getenv("TZ").map({ String(cString: $0) }) else { return zone }
    return variable.isEmpty ? "UTC" : variable.split(separator: ":").first.map(String.init)
  }

  var lines: [String] {
    let zone = Self.zone.map { ["The time zone is \($0)."] } ?? []
    guard isInstalled else {
      return zone + ["It does not follow the place: locationd-timezone is not installed."]
    }
    guard isRunning else {
      return zone + [
        follows
          ? "It is to follow the place, but locationd-timezone does not run: 'systemctl status"
            + " locationd-timezone' says why."
          : "It does not follow the place; 'sudo locationctl timezone follow on' has it do so."
      ]
    }
    return zone + [text ?? "It follows the place."]
  }

  var json: JSON {
    var members: [JSON.Member] = [
      .init(key: "follows", value: .bool(follows)), .init(key: "running", value: .bool(isRunning)),
    ]
    if let zone = Self.zone { members.append(.init(key: "timeZone", value: .string(zone))) }
    if let text { members.append(.init(key: "text", value: .string(text))) }
    return .object(members)
  }
}
