/// The checkout that the tests are of.
package enum Checkout {
  package static let path = String(#filePath.dropLast("/Tests/Support/Checkout.swift".count))
}
