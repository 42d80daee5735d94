internal import Platform

/// Is told what COsmium reads, and ends the reading at its first trouble.
protocol Reader: AnyObject {
  /// Why it ended the reading.
  var trouble: SystemError? { get set }
}

extension Reader {
  /// The one that a face was made for.
  static func of(_ context: UnsafeMutableRawPointer?) -> Self? {
    context.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
  }

  /// False where the reading is to end.
  func attempt(_ body: () throws(SystemError) -> Void) -> Bool {
    do throws(SystemError) {
      try body()
      return true
    } catch {
      trouble = error
      return false
    }
  }
}
