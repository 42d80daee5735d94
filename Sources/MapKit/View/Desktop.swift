import Foundation

/// The person's own programs.
enum Desktop {
  /// Opens an address in the program that the person has for it; false where there is none.
  static func open(_ address: String) -> Bool {
    guard let program = find("xdg-open") else { return false }
    let child = Process()
    child.executableURL = URL(filePath: program)
    child.arguments = [address]
    child.standardInput = FileHandle.nullDevice
    child.standardOutput = FileHandle.nullDevice
    return (try? child.run()) != nil
  }

  /// Without one, a browser would take a terminal.
  static var hasScreen: Bool {
    let variables = ProcessInfo.processInfo.environment
    return variables["DISPLAY"] != nil || variables["WAYLAND_DISPLAY"] != nil
  }

  private static func find(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
  }
}
