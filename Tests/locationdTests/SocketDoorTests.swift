import Foundation
import Glibc
import LocationCore
import LocationModel
import TestSupport
import Testing

@testable import Platform
@testable import locationd

@Suite("The socket's door") final class SocketDoorTests {
  private let loop: EventLoop
  private let path = FileManager.default.temporaryDirectory.appending(path: "door-\(UUID())").path
  private let identifier: Identifier
  private var door: SocketDoor?
  private var answers: [(ProgramClue?) -> Void] = []
  private var posted: [Input] = []

  init() throws {
    loop = try EventLoop()
    identifier = try Identifier(patience: .seconds(60), on: loop)
    identifier.agents = { [unowned self] _, answer in
      answers.append(answer)
      return .asked(ClientID(9))
    }
    door = try SocketDoor(
      UnixListener(path: path), identifier, limits: .init(), on: loop, Log(level: .error)
    ) { [unowned self] in posted.append($0) }
  }

  private func connect() throws -> Descriptor {
    let descriptor = Descriptor(owning: try makeUnixSocket())
    let number = descriptor.number
    let result = try withAddress(of: path) { Glibc.connect(number, $0, $1) }
    try #require(result == 0)
    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"hello"}"#.utf8) + [0x0A]
    #expect(request.withUnsafeBytes { descriptor.send($0) } == .bytes(request.count))
    return descriptor
  }

  private func wait(until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: .milliseconds(10))
    }
  }

  /// Where the tests themselves run in some unit, no agent is asked about them.
  static let areNameless = {
    let own = ProcessFacts(
      uid: getuid(), pid: getpid(), label: nil, ProcessHandle.of(getpid(), uid: getuid()))
    let machine = Machine(hasSystemd: false, cgroup: [])
    return Caller(own, on: machine, userName: "x").wantsClue
  }()

  @Test("requests wait until it is known whose they are", .enabled(if: areNameless, "in a unit"))
  func waiting() throws {
    let client = try connect()
    try wait { answers.count == 1 }
    for _ in 0..<10 { try loop.turn(within: .milliseconds(1)) }
    #expect(posted.isEmpty)
    answers[0](ProgramClue(exe: "/usr/bin/maps"))
    try wait { posted.count == 2 }
    guard case .connected(_, let caller) = posted[0], case .called(_, let call) = posted[1] else {
      Issue.record("\(posted)")
      return
    }
    #expect(caller.app == "exe:/usr/bin/maps")
    #expect(call.id == .integer(1))
    _ = client
  }

  @Test(
    "one that hangs up before it is known was never there",
    .enabled(if: areNameless, "in a unit"))
  func hangsUp() throws {
    do {
      let client = try connect()
      try wait { answers.count == 1 }
      _ = client
    }
    let next = try connect()
    try wait { answers.count == 2 }
    for _ in 0..<10 { try loop.turn(within: .milliseconds(1)) }
    for answer in answers { answer(nil) }
    try wait { posted.count == 2 }
    guard case .connected(let id, let caller) = posted[0] else {
      Issue.record("\(posted)")
      return
    }
    #expect(id == ClientID(2, at: .socket))
    #expect(caller.kind == .user)
    _ = next
  }
}
