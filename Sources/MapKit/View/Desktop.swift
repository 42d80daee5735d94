import Foundation

/// The person's own programs.
enum Desktop {
  /// Tests put another environment in its place.
  @TaskLocal static var environment = ProcessInfo.processInfo.environment

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

  /// Whether the person has a map program for geo: addresses, as their desktop says; it may take its time.
  static func hasMaps() async -> Bool {
    guard let program = find("xdg-mime") else { return false }
    return await withCheckedContinuation { continuation in
      // The child is one of a thread that lives as long.
      Thread.detachNewThread { continuation.resume(returning: hasMaps(by: program)) }
    }
  }

  private static func hasMaps(by program: String) -> Bool {
    let (child, answer) = (Process(), Pipe())
    child.executableURL = URL(filePath: program)
    child.arguments = ["query", "default", "x-scheme-handler/geo"]
    child.standardInput = FileHandle.nullDevice
    child.standardOutput = answer
    child.standardError = FileHandle.nullDevice
    guard (try? child.run()) != nil else { return false }
    let name = try? answer.fileHandleForReading.readToEnd()
    child.waitUntilExit()
    return name?.contains { $0 > 0x20 } ?? false
  }

  /// Whether the person's programs for addresses can be asked.
  static var canOpen: Bool { find("xdg-open") != nil }

  /// Without one, a browser would take a terminal.
  static var hasScreen: Bool {
    environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  private static func find(_ name: String) -> String? {
    let folders = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
  }
}
