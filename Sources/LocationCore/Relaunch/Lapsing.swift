import LocationModel

/// What a program has registered lapses when it is gone for good.
extension LocationService {
  /// Those of which more is kept than what they may do.
  var registeredApps: Set<App> {
    Set(registrations.filter { !$0.value.isEmpty }.keys).union(launches.apps)
  }

  private func isRegistered(_ app: App) -> Bool {
    registrations[app]?.isEmpty == false || launches.launch(of: app) != nil
  }

  /// It is there now, or was until now.
  mutating func see(_ app: App, at now: Instant, into outputs: inout [Output]) {
    guard now.utcTrusted, isRegistered(app) else { return }
    var attendance = attendances.entries[app]
    let isNews = attendance?.see(on: now.day) ?? true
    guard isNews else { return }
    keep(attendance ?? Attendance(on: now.day), of: app, at: now, into: &outputs)
  }

  /// Once a day or so.
  mutating func lookForAbsent(at now: Instant, into outputs: inout [Output]) {
    guard attendances.looksAt <= now.boottime else { return }
    attendances.looked(at: now)
    guard now.utcTrusted else { return }
    let present = Set(clients.all.values.lazy.map(\.caller.owner))
    for app in Set(registrations.keys).union(launches.apps).union(attendances.entries.keys).sorted()
    {
      if !isRegistered(app) {
        guard attendances.entries.removeValue(forKey: app) != nil else { continue }
        commit([.remove(app, kind: Kept.seen, key: "")], into: &outputs)
      } else if present.contains(app) || attendances.entries[app] == nil {
        see(app, at: now, into: &outputs)
      } else if var attendance = attendances.entries[app], attendance.miss(on: now.day) {
        if attendance.hasLapsed(on: now.day) {
          lapse(app, at: now, into: &outputs)
        } else {
          keep(attendance, of: app, at: now, into: &outputs)
        }
      }
    }
  }

  private mutating func keep(
    _ attendance: Attendance, of app: App, at now: Instant, into outputs: inout [Output]
  ) {
    attendances.entries[app] = attendance
    commit(
      [.put(app, kind: Kept.seen, key: "", Kept.bytes(of: attendance.json))], into: &outputs)
  }

  private mutating func lapse(_ app: App, at now: Instant, into outputs: inout [Output]) {
    forgetMonitoring(of: app)
    commit([.erase(app)], into: &outputs)
    outputs.append(
      .note(
        "\(app) was not there for \(Attendance.longestAbsence) days: what it had registered lapses,"
          + " what it may do stays"))
  }
}

extension Registration {
  fileprivate var isEmpty: Bool {
    !significant && !visits && regions.isEmpty && pending.isEmpty
  }
}

extension Instant {
  fileprivate var day: Int64 { utc.microseconds / 86_400_000_000 }
}
