/// Containers, told by the names that their managers give to control groups. Root in one without users
/// of its own looks like the machine's root otherwise.
enum Containers {
  /// The control groups of containers in a text of `/proc/PID/cgroup`: of each hierarchy the innermost.
  static func paths(in text: [UInt8]) -> Set<[UInt8]> {
    var paths: Set<[UInt8]> = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      if parts.count == 3, let path = innermost(in: parts[2]) { paths.insert(Array(path)) }
    }
    return paths
  }

  private static func innermost(in path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var folders = path.split(separator: UInt8(ascii: "/"))[...]
    while let folder = folders.popLast() {
      if isContainer(folder) { return path[..<folder.endIndex] }
      if let parent = folders.last, parents.contains(where: parent.elementsEqual) {
        return path[..<folder.endIndex]
      }
    }
    return nil
  }

  private static func isContainer(_ folder: ArraySlice<UInt8>) -> Bool {
    if names.contains(where: folder.starts) { return true }
    return folder.suffix(scope.count).elementsEqual(scope) && scopes.contains(where: folder.starts)
  }

  private static let scope = Array(".scope".utf8)
  /// A control group that begins so is a container: podman's in the unit that starts it, lxc's, systemd's template.
  private static let names = ["libpod-", "lxc.payload.", "systemd-nspawn@"].map { Array($0.utf8) }
  /// A scope that begins so is one.
  private static let scopes = [
    "buildah-", "containerd-", "cri-containerd-", "crio-", "crun-", "docker-", "lxc-", "machine-",
    "nerdctl-", "podman-", "runc-",
  ].map { Array($0.utf8) }
  /// All that lies in these are containers.
  private static let parents = [
    "buildkit", "docker", "kubepods", "kubepods.slice", "libpod_parent", "lxc", "lxc.payload",
    "machine", "machine.slice",
  ].map { Array($0.utf8) }
}
