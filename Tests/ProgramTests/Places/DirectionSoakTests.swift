import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `make soak` asks 10,000 times; among the other tests it is some hundred.
@Suite("Hostile questions for ways", .serialized, .timeLimit(.minutes(60)))
struct DirectionSoakTests {
  private static let count = isSoak ? 10_000 : 400

  private static func place(_ dice: inout Dice) -> JSON {
    let near = Coordinate(
      latitude: .random(in: 43.72...43.77, using: &dice),
      longitude: .random(in: 7.36...7.48, using: &dice))
    return switch Int.random(in: 0..<25, using: &dice) {
    case 0: .array([.number(.random(in: -90...90, using: &dice)), .number(180)])
    case 1: .array([.number(1e308), .number(-1e308)])
    case 2: .array([.number(43.7384), .string("7.42\n--help")])
    case 3: .array([])
    case 4: .array([.number(Bool.random(using: &dice) ? 90 : -90), .number(7.42)])
    case 5: .array([.number(43.7384), .number(Bool.random(using: &dice) ? 180 : -180)])
    case 6: .array([.number(9e15), .number(7.42), .number(1)])
    default: near.pair
    }
  }

  private static func question(_ dice: inout Dice) -> JSON {
    var members: [JSON.Member] = [
      .init(key: "from", value: place(&dice)), .init(key: "to", value: place(&dice)),
    ]
    if Int.random(in: 0..<20, using: &dice) == 0 { members[1].value = members[0].value }
    if Int.random(in: 0..<5, using: &dice) == 0 {
      let stops = (0..<Int.random(in: 0...50, using: &dice)).map { _ in place(&dice) }
      members.append(.init(key: "via", value: .array(stops)))
    }
    let transports = ["automobile", "walking", "cycling", "automobile", "walking", "--help"]
    members.append(
      .init(key: "transport", value: .string(transports.randomElement(using: &dice) ?? "")))
    members.append(.init(key: "alternates", value: .bool(Bool.random(using: &dice))))
    let avoid = ["tolls", "ferries", "motorways", "unpaved", "hills"].prefix(
      max(Int.random(in: -4...5, using: &dice), 0))
    members.append(.init(key: "avoid", value: .array(avoid.map(JSON.string))))
    members.append(.init(key: "locale", value: "\u{1B}]0;ko"))
    return .object(members)
  }

  @Test("leave no descriptor and no memory behind, also when who asks goes away")
  func hostile() throws {
    let places = try RunningPlaces.ofMonaco()
    var dice = Dice(seed: 24)
    var (found, refused) = (0, 0)
    func round() throws {
      let client = try places.connect()
      let questions = (0..<20).map { _ in Self.question(&dice) }
      for question in questions { client.request("directions", question) }
      // One in four does not wait for its answers.
      guard Int.random(in: 0..<4, using: &dice) > 0 else { return }
      for _ in questions {
        if try client.line()["result"] != nil { found += 1 } else { refused += 1 }
      }
    }
    let rounds = Self.count / 20
    for _ in 0..<max(rounds / 4, 10) { try round() }
    let descriptors = try places.program.descriptors
    let grown = try growth(of: places.program) { for _ in 0..<max(rounds / 5, 4) { try round() } }
    print(
      "hostile questions for ways: \(found) found, \(refused) refused, holds",
      try places.program.heldMemory, "kB")
    #expect(grown < 300 && found > 0 && refused > 0)
    #expect(try eventually(within: patience) { try places.program.descriptors <= descriptors })
    #expect(try places.ways(RoadsTests.rocher, RoadsTests.casino).first?.engine == "locationd")
  }
}
