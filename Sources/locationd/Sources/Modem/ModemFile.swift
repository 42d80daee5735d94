import LocationModel
import Platform
import ReceiverCore

/// The changes at a modem, on the disk: a daemon that is killed leaves them to the next.
struct ModemFile {
  private let path: String?
  private let log: Log
  let debt: ModemDebt?

  init(in place: StatePlace, _ log: Log) {
    path = if case .folder(let folder) = place { folder + "/modem" } else { nil }
    self.log = log
    let bytes = path.flatMap { try? File.bytes(of: $0, atMost: 4096) }
    debt = bytes?.withUnsafeBytes { try? JSON(parsing: $0) }.flatMap(ModemDebt.init)
  }

  func remember(_ debt: ModemDebt?) {
    guard let path else { return }
    guard let debt else { return File.remove(path) }
    do throws(SystemError) {
      try File.replace(path, with: Array(debt.json.text.utf8))
    } catch {
      log.warning("what is changed at a modem may stay so: \(error)")
    }
  }
}
