internal import CLinux
internal import Glibc

/// Who uses a device already, as far as one may look.
package enum DeviceHolder {
  /// The first of these programs that has the device open, or says on its command line that it is its.
  package static func name(of device: String, among programs: Set<String>) -> String? {
    let names = Set([device, resolved(device)])
    let programs = Dictionary(uniqueKeysWithValues: programs.map { (Array($0.utf8 + [0x0A]), $0) })
    for entry in (try? File.names(in: "/proc")) ?? [] where entry.first?.isNumber == true {
      let folder = "/proc/\(entry)"
      guard let bytes = try? File.bytes(of: "\(folder)/comm", atMost: 32),
        let name = programs[bytes]
      else { continue }
      // Of other users' programs only root may see what they have open.
      let open = (try? File.names(in: "\(folder)/fd")) ?? []
      if open.contains(where: { names.contains(resolved("\(folder)/fd/\($0)")) }) { return name }
      let said = text("\(folder)/cmdline").split(separator: "\0").map(String.init)
      if said.contains(where: { names.contains($0) || names.contains(resolved($0)) }) {
        return name
      }
    }
    return nil
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
