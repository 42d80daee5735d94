internal import CLinux
internal import Glibc

/// The program that uses a device already, as far as one may look.
package enum DeviceHolder {
  /// The first of these programs that has the device open, or says on its command line that it is its.
  package static func name(of device: String, among programs: Set<String>) -> String? {
    let names = Set([device, resolved(device)])
    return processes(of: programs).first { process in
      // Only root may see what other users' programs have open.
      let open = (try? File.names(in: "\(process.folder)/fd")) ?? []
      if open.contains(where: { names.contains(resolved("\(process.folder)/fd/\($0)")) }) {
        return true
      }
      let said = text("\(process.folder)/cmdline").split(separator: "\0").map(String.init)
      return said.contains { names.contains($0) || names.contains(resolved($0)) }
    }?.name
  }

  /// The programs among these that run, whatever they have open.
  package static func running(among programs: Set<String>) -> Set<String> {
    Set(processes(of: programs).map(\.name))
  }

  /// Whether two paths lead to one device.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    path == other || resolved(path) == resolved(other)
  }

  /// The command lines of those of this name that run.
  package static func commandLines(of program: String) -> [[String]] {
    processes(of: [program]).map { process in
      text("\(process.folder)/cmdline").split(separator: "\0").map(String.init)
    }
  }

  private static func processes(
    of programs: Set<String>
  ) -> some Sequence<(name: String, folder: String)> {
    let programs = Dictionary(uniqueKeysWithValues: programs.map { (Array($0.utf8 + [0x0A]), $0) })
    return ((try? File.names(in: "/proc")) ?? []).lazy.compactMap { entry in
      guard entry.first?.isNumber == true else { return nil }
      let folder = "/proc/\(entry)"
      let bytes = try? File.bytes(of: "\(folder)/comm", atMost: 32)
      return bytes.flatMap { programs[$0] }.map { ($0, folder) }
    }
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? File.bytes(of: path, atMost: 8192)) ?? [], as: UTF8.self)
  }

  private static func resolved(_ path: String) -> String {
    guard path.hasPrefix("/"), let result = realpath(path, nil) else { return path }
    defer { free(result) }
    return String(cString: result)
  }
}
