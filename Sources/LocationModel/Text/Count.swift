/// How many there are, as people read it: `1 fix`, `2 fixes`.
package struct Count: CustomStringConvertible {
  private let number: Int64
  private let noun: String

  package init(_ number: Int64, _ noun: String) {
    self.number = number
    self.noun = noun
  }

  package init(_ number: Int, _ noun: String) { self.init(Int64(number), noun) }

  package var description: String {
    if number == 1 { return "1 \(noun)" }
    if noun.hasSuffix("ry") { return "\(number) \(noun.dropLast())ies" }
    return "\(number) \(noun)\(noun.hasSuffix("x") ? "es" : "s")"
  }
}
