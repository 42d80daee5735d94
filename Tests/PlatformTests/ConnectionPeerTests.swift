import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite("The other end of a connection") struct ConnectionPeerTests {
  /// Both ends of a connection over the loopback.
  private static func pair() throws -> (client: Int32, server: Int32) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let server = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size)
        listen(listener, 4)
        getsockname(listener, address, &size)
        connect(client, address, size)
        return accept(listener, nil, nil)
      }
    }
    try #require(server >= 0)
    return (client, server)
  }

  @Test("is told by the kernel, with its user, its socket and its control group")
  func here() throws {
    let (client, number) = try Self.pair()
    let server = Descriptor(owning: number)
    defer { close(client) }
    guard case .here(let owner)? = server.connectionPeer() else {
      Issue.record("it is not told")
      return
    }
    #expect(owner.uid == getuid())
    #expect(owner.inode == Descriptor(owning: dup(client)).socketInode())
    let group = try #require(owner.group)
    #expect(ControlGroups().path(of: group)?.hasPrefix("/") == true)
    #expect(server.peerHost() == [127, 0, 0, 1])
  }

  @Test("is told with its process where that may be looked at, and only where one process has it")
  func holder() throws {
    let (client, number) = try Self.pair()
    let server = Descriptor(owning: number)
    guard case .here(let owner)? = server.connectionPeer() else {
      Issue.record("it is not told")
      return
    }
    let lineage = SocketHolder.lineage(of: owner.inode, uid: owner.uid)
    #expect(lineage?.first?.pid == getpid())
    #expect(SocketHolder.lineage(of: owner.inode, uid: owner.uid &+ 1) == nil)
    // A child has it, too.
    _ = fcntl(client, F_SETFD, 0)
    let child = try Child(["sleep", "600"])
    #expect(SocketHolder.lineage(of: owner.inode, uid: owner.uid) == nil)
    child.end()
    close(client)
  }

  @Test("is nobody once its program has closed it, though its bytes can be read")
  func closed() throws {
    let (client, number) = try Self.pair()
    let server = Descriptor(owning: number)
    _ = send(client, "?POLL;", 6, 0)
    close(client)
    #expect(server.connectionPeer() == .closed)
    // Half closed is open.
    let (other, another) = try Self.pair()
    let end = Descriptor(owning: another)
    defer { close(other) }
    shutdown(other, Int32(SHUT_WR))
    if case .here? = end.connectionPeer() {} else { Issue.record("it is not told") }
  }

  /// The addresses of this machine that are in use, each with the name of its interface.
  private static func addresses() -> [(host: sockaddr_storage, size: socklen_t, interface: String)]
  {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0, let first else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first) { $0.pointee.ifa_next }.map(\.pointee).compactMap {
      let running = UInt32(IFF_UP | IFF_RUNNING)
      guard let address = $0.ifa_addr, $0.ifa_flags & running == running else { return nil }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { return nil }
      let size =
        family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var host = sockaddr_storage()
      memcpy(&host, address, size)
      return (host, socklen_t(size), String(cString: $0.ifa_name))
    }
  }

  /// Both ends of a connection over an address of this machine, from a socket that is bound to an interface.
  private static func pair(
    over host: sockaddr_storage, _ size: socklen_t, boundTo interface: String
  ) throws -> (client: Int32, server: Int32) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let listener = socket(Int32(host.ss_family), kind, 0)
    defer { close(listener) }
    let client = socket(Int32(host.ss_family), kind, 0)
    try #require(
      setsockopt(client, SOL_SOCKET, SO_BINDTODEVICE, interface, socklen_t(interface.utf8.count))
        == 0)
    var (address, size) = (host, size)
    let server = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size)
        listen(listener, 4)
        getsockname(listener, address, &size)
        return connect(client, address, size) == 0 ? accept(listener, nil, nil) : -1
      }
    }
    try #require(server >= 0, "\(interface)")
    return (client, server)
  }

  @Test(
    "a program of this machine is told as itself over each of its addresses, bound to an interface")
  func bound() throws {
    let addresses = Self.addresses()
    #expect(addresses.contains { $0.interface == "lo" })
    for (host, size, interface) in addresses {
      let (client, number) = try Self.pair(over: host, size, boundTo: interface)
      let server = Descriptor(owning: number)
      defer { close(client) }
      guard case .here(let owner)? = server.connectionPeer() else {
        Issue.record("over \(interface): \(server.connectionPeer().debugDescription)")
        continue
      }
      #expect(owner.uid == getuid())
      #expect(owner.inode == Descriptor(owning: dup(client)).socketInode())
    }
  }

  @Test(
    "a program of this machine is no other machine's, though the kernel forgets its closed socket")
  func forgotten() async throws {
    let numbers = try Self.addresses().map { host, size, interface in
      let (client, number) = try Self.pair(over: host, size, boundTo: interface)
      var second: Int32 = 1
      setsockopt(client, Int32(IPPROTO_TCP), TCP_LINGER2, &second, 4)
      close(client)
      return number
    }
    try await Task.sleep(for: .seconds(1.5))
    for number in numbers { #expect(Descriptor(owning: number).connectionPeer() == .closed) }
  }

  @Test("a connection that is cut ends for all that hold it, with what waits")
  func cut() throws {
    let (client, number) = try Self.pair()
    let server = Descriptor(owning: number)
    defer { close(client) }
    let other = Descriptor(owning: dup(server.number))
    other.cut()
    #expect(send(server.number, "x", 1, Int32(MSG_NOSIGNAL)) < 0)
    var byte: UInt8 = 0
    #expect(recv(client, &byte, 1, 0) <= 0)
  }

  @Test("a control group that is gone has no name")
  func groups() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "groups-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "a.slice/b.service")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let groups = ControlGroups(in: root.path)
    var entry = stat()
    try #require(stat(folder.path, &entry) == 0)
    #expect(groups.path(of: UInt64(entry.st_ino)) == "/a.slice/b.service")
    try FileManager.default.removeItem(at: folder)
    #expect(groups.path(of: UInt64(entry.st_ino)) == nil)
    #expect(ControlGroups(in: nil).path(of: 1) == nil)
  }

  @Test("a network has the addresses that its length says")
  func networks() {
    let home = NetworkRange("192.168.1.0/24")
    #expect(
      home?.contains([192, 168, 1, 77]) == true && home?.contains([192, 168, 2, 1]) == false)
    #expect(NetworkRange("10.0.0.1")?.contains([10, 0, 0, 1]) == true)
    #expect(NetworkRange("10.0.0.1")?.contains([10, 0, 0, 2]) == false)
    #expect(NetworkRange("0.0.0.0/0")?.contains([1, 2, 3, 4]) == true)
    let wide = NetworkRange("fd00::/9")
    #expect(wide?.contains([0xFD, 0x7F] + [UInt8](repeating: 1, count: 14)) == true)
    #expect(wide?.contains([0xFD, 0x80] + [UInt8](repeating: 1, count: 14)) == false)
    #expect(wide?.contains([127, 0, 0, 1]) == false)
    for text in ["", "home", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "1/2/3"] {
      #expect(NetworkRange(text) == nil, "\(text)")
    }
  }

  @Test("a serial line that is none is read at its path, and goes with its owner")
  func terminal() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "tty-\(UUID())").path
    var terminal: PseudoTerminal? = try PseudoTerminal(at: path, mode: 0o600)
    let reader = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    // The reader pauses for long: the newest is there, and nothing waits.
    for i in 0..<10_000 {
      Array("$GPRMC,\(i)\r\n".utf8).withUnsafeBytes { terminal?.write($0) }
    }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 65536)
    while case let count = read(reader, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    #expect(text.contains("$GPRMC,9999\r\n"))
    for _ in 0..<100 {
      Array("$GPRMC,1\r\n".utf8).withUnsafeBytes { terminal?.write($0) }
      terminal?.drop()
      #expect(read(reader, &bytes, bytes.count) < 0, "what is dropped is read by nobody")
    }
    let other = path + ".other"
    try "mine".write(toFile: other, atomically: true, encoding: .utf8)
    defer { unlink(other) }
    #expect(throws: SystemError.self) { _ = try PseudoTerminal(at: other, mode: 0o600) }
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    terminal = nil
    #expect(access(path, F_OK) != 0)
  }
}
