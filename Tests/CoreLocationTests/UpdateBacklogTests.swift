import LocationModel
import Testing

@testable import CoreLocation

@Suite("What a loop over live updates has not taken yet") struct UpdateBacklogTests {
  private static func place(_ number: Int) -> CLLocationUpdate {
    var update = CLLocationUpdate()
    update.location = CLLocation(latitude: Double(number) / 1000, longitude: 7)
    return update
  }

  private static var question: CLLocationUpdate {
    var update = CLLocationUpdate()
    update.authorizationRequestInProgress = true
    return update
  }

  private func all(_ backlog: UpdateBacklog) -> [CLLocationUpdate] {
    var updates: [CLLocationUpdate] = []
    while let update = backlog.removeFirst() { updates.append(update) }
    return updates
  }

  @Test("it is taken in order, and then there is nothing")
  func order() {
    let backlog = UpdateBacklog()
    for number in 1...3 { backlog.append(Self.place(number)) }
    #expect(all(backlog).map { $0.location?.coordinate.latitude } == [0.001, 0.002, 0.003])
    #expect(backlog.removeFirst() == nil)
  }

  @Test("a slow loop misses old places, but neither what came before them nor the newest")
  func slow() {
    let backlog = UpdateBacklog()
    backlog.append(Self.question)
    for number in 1...5000 { backlog.append(Self.place(number)) }
    let updates = all(backlog)
    #expect(updates.count == 101)
    #expect(updates.first?.authorizationRequestInProgress == true)
    #expect(updates.last?.location?.coordinate.latitude == 5)
    for number in 1...100 { backlog.append(Self.place(number)) }
    #expect(all(backlog).count == 100)
  }

  @Test("a loop that never runs costs a bounded memory")
  func bounded() {
    let backlog = UpdateBacklog()
    for _ in 1...5000 { backlog.append(Self.question) }
    #expect(all(backlog).count == 1000)
  }
}
