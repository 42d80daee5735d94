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
  func operands() throws {
    var arguments = Arguments(["a", "--json", "--", "--odd", "--json"])
    let flag = arguments.flag("--json")
    let another = arguments.flag("--json")
    #expect(flag && !another)
    let operands = [arguments.operand(), arguments.operand(), arguments.operand()]
    #expect(operands == ["a", "--odd", "--json"])
    try arguments.nothingElse()
  }

  @Test("a number below zero is no option, before and after two dashes, and keeps its place")
  func negative() throws {
    for words in [["here", "-33,151"], ["here", "--", "-33,151"], ["--", "here", "-33,151"]] {
      var arguments = Arguments(words)
      let operands = [arguments.operand(), arguments.operand(), arguments.operand()]
      #expect(operands == ["here", "-33,151", nil])
      try arguments.nothingElse()
    }
    var arguments = Arguments(["--near", "-33,151", "-.5,3"])
    #expect(try arguments.value("--near") == "-33,151")
    let operand = arguments.operand()
    #expect(operand == "-.5,3")
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
