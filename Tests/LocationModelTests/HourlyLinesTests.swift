import LocationModel
import Testing

@Suite("Lines that others can cause") struct HourlyLinesTests {
  @Test("are so many in an hour, however often they are caused, and as many in the next")
  func bounded() {
    var lines = HourlyLines()
    let told = (0..<7200).filter { lines.mayTell(at: .start + .seconds(100) + .seconds($0)) }
    let most = HourlyLines.most
    #expect(told == Array(0..<most) + Array(3600..<3600 + most))
  }
}
