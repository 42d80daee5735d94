import Console
import LocationModel
import Platform

/// The person's own settings of the agent: ~/.config/locationd/agent.conf.
struct AgentSettings: Equatable {
  /// Programs are shown while they are told a place.
  private(set) var showsUses = true

  /// A mistake in the file is said by `complain`, and the rest of it holds.
  init(_ path: String? = PersonalFile.path("agent.conf"), complain: (String) -> Void) {
    guard let path else { return }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.bytes(of: path, atMost: ConfigurationText.largestFile + 1)
    } catch {
      if !error.isNotFound { complain("\(error)") }
      return
    }
    for line in ConfigurationText(bytes).lines {
      switch line.item {
      case .section(let name) where name.lowercased() == "agent": break
      case .assignment(let key, let value) where key.lowercased() == "indicator":
        do throws(Unusable) {
          showsUses = try ConfigurationValue<Bool>.truth.parse("Indicator", value)
        } catch {
          complain("\(path):\(line.number): \(error.what)")
        }
      case .mistake(let what): complain("\(path):\(line.number): \(what)")
      case .section, .assignment:
        complain("\(path):\(line.number): there is [Agent], with Indicator=yes or no")
      }
    }
  }
}
