import Testing

@testable import Console

@Suite("Arguments") struct ArgumentsTests {
  @Test("flags and values are taken out wherever they stand")
  func taken() throws {
    var arguments = Arguments(["--json", "--accuracy", "5", "--socket=/x"])
    let asJSON = arguments.flag("--json")
    #expect(asJSON)
    #expect(try arguments.number("--accuracy", "metres") { $0 >= 0 } == 5)
    #expect(try arguments.value("--socket") == "/x")
    try arguments.nothingElse()
  }

  @Test("an option that is given several times keeps its values in their order")
  func values() throws {
    var arguments = Arguments(["--at", "1", "--at=2", "--at", "3"])
    #expect(try arguments.values("--at") == ["1", "2", "3"])
    try arguments.nothingElse()
  }

  @Test(
    "the nearest word has a few letters wrong, missing, too many or swapped",
    arguments: [
      ("stauts", "status"), ("wtch", "watch"), ("watchh", "watch"), ("GET", "get"),
      ("sta", nil), ("fly", nil), ("", nil), (String(repeating: "x", count: 100_000), nil),
    ] as [(String, String?)])
  func nearest(typed: String, meant: String?) {
    #expect(["status", "watch", "get", "sources"].nearest(to: typed) == meant)
  }

  @Test("after two dashes nothing is an option")
  func operands() {
    var arguments = Arguments(["--", "--odd"])
    let operand = arguments.operand()
    #expect(operand == "--odd")
  }

  @Test(
    "what is left over or no number is wrong usage",
    arguments: [["--fast"], ["place"], ["--accuracy"], ["--accuracy", "five"], ["--accuracy=-1"]])
  func refused(words: [String]) {
    #expect {
      var arguments = Arguments(words)
      _ = try arguments.number("--accuracy", "metres") { $0 >= 0 }
      try arguments.nothingElse()
    } throws: {
      ($0 as? Failure)?.code == .usage
    }
  }
}
