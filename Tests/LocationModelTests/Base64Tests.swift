import Foundation
import LocationModel
import Testing

@Suite("Bytes in base64") struct Base64Tests {
  @Test("the letters are those that others read, for each length")
  func same() {
    var dice = SystemRandomNumberGenerator()
    for length in 0..<70 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &dice) }
      #expect(Base64.text(of: bytes) == Data(bytes).base64EncodedString())
    }
  }
}
