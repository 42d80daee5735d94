/// A line for the log.
package enum Remark: Equatable, Sendable {
  case error(String)
  case warning(String)
  case notice(String)
  case info(String)
}
