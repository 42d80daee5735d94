import Testing

/// Here what is wrong fails the test; where fuzzers run it ends the program.
func check(_ condition: Bool, _ what: String) {
  if !condition { Issue.record("\(what)") }
}
