/// Lets the main queue work until it is so. Other tests may hold it up for minutes: then its own turns count, not the
/// clock's.
@MainActor package func until(
  _ isSo: @MainActor () async throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  var turns = 0
  while ContinuousClock.now < deadline || turns < 1000 {
    if try await isSo() { return true }
    try? await Task.sleep(for: .milliseconds(2))
    turns += 1
  }
  return try await isSo()
}
