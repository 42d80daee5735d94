import LocationModel
import Testing

@testable import TrackCore

@Suite("Waypoints of the configuration and of servers") struct WaypointBookTests {
  private static let now = Timestamp(microseconds: 1_772_359_200_000_000)

  private static func region(_ name: String, _ radius: Double = 100) -> Region {
    Region(
      identifier: name, .circle(Coordinate(latitude: 45, longitude: 7), radius: radius))
  }

  private static func wish(_ id: String, _ name: String, radius: Double = 50) -> WaypointWish {
    WaypointWish(
      id: id, name: name, made: nil,
      .circle(Coordinate(latitude: 46, longitude: 8), radius: radius))
  }

  private static func book(_ names: String...) -> WaypointBook {
    var book = WaypointBook()
    book.configure(names.map { region($0) }, owners: ["a", "b"], at: now)
    return book
  }

  @Test("each is made at a second of its own, and keeps it when its circle changes")
  func dates() {
    var book = Self.book("home", "work")
    let dates = book.waypoints.map(\.made)
    #expect(dates == [Self.now, Self.now + .seconds(1)])
    book.configure(
      [Self.region("work", 200), Self.region("new"), Self.region("home")], owners: [], at: Self.now)
    #expect(book.waypoints.map(\.name) == ["work", "new", "home"])
    #expect(book.waypoints.map(\.made) == [dates[1], Self.now + .seconds(2), dates[0]])
  }

  @Test("a server changes no waypoint of the configuration, by its name or its ID")
  func configured() {
    var book = Self.book("home", "a/x")
    let before = book
    let wishes = [
      Self.wish("home", "other"), Self.wish("other", "home"), Self.wish("x", "y"),
      WaypointWish(id: "home", name: "home", made: nil, nil),
    ]
    #expect(book.follow(wishes, of: "a", at: Self.now) == 4)
    #expect(book == before)
  }

  @Test("waypoints of one server are seen, changed and cleared by no other")
  func owners() {
    var book = Self.book("home")
    #expect(
      book.follow([Self.wish("1", "yard"), Self.wish("2", "dock")], of: "a", at: Self.now) == 0)
    #expect(book.follow([Self.wish("1", "mine")], of: "b", at: Self.now) == 0)
    #expect(book.shown(to: "a").map(\.name) == ["home", "yard", "dock"])
    #expect(book.shown(to: "b").map(\.name) == ["home", "mine"])
    #expect(
      book.follow([WaypointWish(id: "2", name: "", made: nil, nil)], of: "b", at: Self.now) == 1)
    book.clear("a")
    #expect(book.waypoints.map(\.identifier) == ["home", "b/1"])
  }

  @Test("a waypoint that is set again keeps its date, and is left where its circle is another")
  func again() throws {
    var book = Self.book()
    #expect(book.follow([Self.wish("1", "yard")], of: "a", at: Self.now) == 0)
    book.note(true, "a/1")
    let later = Self.now + .seconds(60)
    #expect(book.follow([Self.wish("1", "garden")], of: "a", at: later) == 0)
    let same = try #require(book["a/1"])
    #expect(same.name == "garden" && same.isInside && same.made == Self.now)
    #expect(book.follow([Self.wish("1", "garden", radius: 9)], of: "a", at: later) == 0)
    #expect(book["a/1"]?.isInside == false)
  }

  @Test("a server has a hundred waypoints, and 8 KiB of their names and IDs")
  func bounds() {
    var book = Self.book("home")
    let many = (1...150).map { Self.wish("\($0)", "w\($0)") }
    #expect(book.follow(many, of: "a", at: Self.now) == 50)
    #expect(book.waypoints.count == 101)
    // One that it has may still be changed.
    #expect(book.follow([Self.wish("7", "seven")], of: "a", at: Self.now) == 0)
    let long = (1...100).map { Self.wish("\($0)", String(repeating: "x", count: 90) + "\($0)") }
    let refused = book.follow(long, of: "b", at: Self.now)
    let bytes = book.waypoints.filter { $0.owner == "b" }
      .reduce(0) { $0 + $1.id.utf8.count + $1.name.utf8.count }
    #expect(refused == 0 && bytes <= 8192 || refused > 0 && bytes > 8000 && bytes <= 8192)
  }

  @Test("waypoints go with the uplink that may have them, and where the configuration takes a name")
  func reconfigured() {
    var book = Self.book("home")
    _ = book.follow([Self.wish("1", "yard"), Self.wish("2", "dock")], of: "a", at: Self.now)
    _ = book.follow([Self.wish("1", "mine")], of: "b", at: Self.now)
    book.configure([Self.region("home"), Self.region("yard")], owners: ["a"], at: Self.now)
    #expect(book.waypoints.map(\.identifier) == ["home", "yard", "a/2"])
  }

  @Test("an entry names the regions that the device is in, sixteen at most")
  func inside() {
    var book = Self.book("home", "town")
    book.note(true, "town")
    book.note(true, "nowhere")
    #expect(book.inside == [.init(name: "town", id: "town")])
    book.note(false, "town")
    #expect(book.inside.isEmpty)
    _ = book.follow((1...30).map { Self.wish("\($0)", "w") }, of: "a", at: Self.now)
    for i in 1...30 { book.note(true, "a/\(i)") }
    #expect(book.inside.count == 16)
  }

  @Test("a server may give thirty commands at once, then one in ten seconds")
  func allowance() {
    var allowance = CommandAllowance()
    let start = Boottime(nanoseconds: 5_000_000_000)
    func take(_ count: Int, after seconds: Int) -> Int {
      (0..<count).count { _ in allowance.take(at: start + .seconds(seconds)) }
    }
    #expect(take(40, after: 0) == 30)
    #expect(take(1, after: 9) == 0 && take(1, after: 10) == 1 && take(1, after: 19) == 0)
    #expect(take(9, after: 50) == 4)
    #expect(take(99, after: 10_000) == 30)
  }
}
