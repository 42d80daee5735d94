internal import CSystemd

/// A session of logind's, by its control group.
package enum LoginSession {
  /// A person at another machine has the session, as over ssh. False where logind knows no such session.
  package static func isRemote(group: String) -> Bool {
    guard let unit = group.split(separator: "/").last(where: { $0.hasSuffix(scope) }),
      unit.hasPrefix(prefix)
    else { return false }
    return sd_session_is_remote(String(unit.dropFirst(prefix.count).dropLast(scope.count))) > 0
  }

  private static let prefix = "session-"
  private static let scope = ".scope"
}
