import Platform

/// The configuration as it lies on the disk: a file, and the drop-ins in the folder beside it.
struct ConfigurationFiles: Equatable {
  var path = "/etc/locationd/locationd.conf"
  /// One that was asked for by name must be there.
  var mustExist = false

  /// All that is wrong, not only the first of it; what is right is taken all the same.
  func read() -> (configuration: Configuration, mistakes: [Configuration.Mistake]) {
    var configuration = Configuration()
    var mistakes: [Configuration.Mistake] = []
    func take(_ path: String, mustExist: Bool) {
      do throws(SystemError) {
        let bytes = try File.bytes(of: path, atMost: ConfigurationText.largestFile + 1)
        mistakes += configuration.take(ConfigurationText(bytes), of: path)
      } catch {
        guard mustExist || !error.isNotFound else { return }
        mistakes.append(.init(file: path, what: error.reason))
      }
    }
    take(path, mustExist: mustExist)
    let folder = path + ".d"
    do throws(SystemError) {
      for name in try File.names(in: folder).sorted(by: precedes)
      where name.hasSuffix(".conf") && !name.hasPrefix(".") {
        take("\(folder)/\(name)", mustExist: true)
      }
    } catch {
      if !error.isNotFound { mistakes.append(.init(file: folder, what: error.reason)) }
    }
    return (configuration, mistakes)
  }

  /// By their bytes: the order must not hang on a language.
  private func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
