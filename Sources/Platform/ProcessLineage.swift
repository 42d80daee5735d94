/// One process for good: whoever is given its number later began later.
package struct ProcessMark: Equatable, Sendable {
  package var pid: Int32
  /// In the kernel's ticks since it started.
  package var startTime: UInt64
}

extension ProcessHandle {
  /// A process with more ancestors hides some of them.
  private static let most = 64
  /// Each time an ancestor ends meanwhile, the climb begins anew.
  private static let attempts = 4

  /// Itself, its parent and so on to the first process there is; nil where they cannot all be told.
  func lineage() -> [ProcessMark]? {
    for _ in 0..<Self.attempts {
      switch climb() {
      case .complete(let lineage): return lineage
      case .endless: return nil
      case .changed: continue
      }
    }
    return nil
  }

  private enum Climb {
    case complete([ProcessMark])
    case endless
    /// An ancestor has ended, or is hidden.
    case changed
  }

  private func climb() -> Climb {
    guard var child = try? StatFile(openStat()), var state = child.read(), let own = state.mark
    else { return .changed }
    var lineage = [own]
    while let parent = state.parent, parent > 0 {
      guard lineage.count < Self.most else { return .endless }
      // As long as the child has this parent, nobody else has the parent's number.
      guard let file = try? StatFile(Descriptor(reading: "/proc/\(parent)/stat")),
        let next = file.read(), let mark = next.mark, child.read()?.parent == parent
      else { return .changed }
      lineage.append(mark)
      child = file
      state = next
    }
    return state.parent == nil ? .changed : .complete(lineage)
  }
}

/// A process's `stat`, which tells of that very process as long as it is open, and each time anew.
private struct StatFile: ~Copyable {
  private let file: Descriptor

  init(_ file: consuming Descriptor) { self.file = file }

  func read() -> ProcessState? {
    guard (try? file.seek(to: 0)) != nil,
      let text = try? File.bytes(of: file, "stat", atMost: 4096)
    else { return nil }
    return ProcessState(text)
  }
}
