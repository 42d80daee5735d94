import Console
import LocationCore
import Platform

/// The configuration as it lies on the disk: a file, and the drop-ins in the folder beside it.
struct ConfigurationFiles: Equatable {
  var path = "/etc/locationd/locationd.conf"
  /// Where packages have drop-ins and rules; one of the same name beside the file goes before it.
  var vendors = ["/usr/lib/locationd", "/usr/local/lib/locationd"]
  /// One that was asked for by name must be there.
  var mustExist = false

  /// All that is wrong, not only the first of it; what is right is taken all the same.
  func read() -> (configuration: Configuration, mistakes: [Configuration.Mistake]) {
    var configuration = Configuration()
    var mistakes: [Configuration.Mistake] = []
    func read(_ path: String, mustExist: Bool) {
      do throws(SystemError) {
        let bytes = try File.bytes(of: path, atMost: ConfigurationText.largestFile + 1)
        mistakes += configuration.apply(ConfigurationText(bytes), of: path)
      } catch {
        guard mustExist || !error.isNotFound else { return }
        mistakes.append(.init(file: path, what: error.reason))
      }
    }
    read(path, mustExist: mustExist)
    let name = path.split(separator: "/").last ?? ""
    for file in files(in: vendors.map { "\($0)/\(name).d" } + [path + ".d"], &mistakes) {
      read(file, mustExist: true)
    }
    readRules(&configuration, &mistakes)
    return (configuration, mistakes)
  }

  /// The administrator's rules about apps, in a folder of their own.
  private func readRules(
    _ configuration: inout Configuration, _ mistakes: inout [Configuration.Mistake]
  ) {
    let folder = String(path.reversed().drop { $0 != "/" }.reversed()) + "policy.d"
    let files = files(in: vendors.map { "\($0)/policy.d" } + [folder], &mistakes)
    guard !files.isEmpty else { return }
    let accounts = Accounts()
    for file in files {
      do throws(SystemError) {
        let bytes = try File.bytes(of: file, atMost: ConfigurationText.largestFile + 1)
        let rules = PolicyText(ConfigurationText(bytes), of: file, accounts)
        configuration.policy.entries += rules.entries
        mistakes += rules.mistakes
      } catch {
        mistakes.append(.init(file: file, what: error.reason))
      }
    }
  }

  private func files(in folders: [String], _ mistakes: inout [Configuration.Mistake]) -> [String] {
    let (paths, troubles) = File.dropIns(in: folders)
    mistakes += troubles.map { .init(file: $0.attempt, what: $0.reason) }
    return paths
  }
}
