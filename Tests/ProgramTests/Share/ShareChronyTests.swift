import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The drop-in of chrony's unit") struct ShareChronyTests {
  /// The unit's command, in a folder of the test's instead of `/run/chrony`, for another user.
  private static func command(_ folder: String, _ user: String, _ group: String) throws -> String {
    let file = Checkout.path + "/config/share/locationd-share.conf"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let start = "ExecStartPost=-+/bin/sh -c '"
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(start) })
    return String(line.dropFirst(start.count).dropLast()).replacing("$$", with: "$")
      .replacing("/run/chrony", with: folder).replacing(
        "chgrp locationd-share", with: "chgrp \(group)"
      )
      .replacing("u:locationd-share:x", with: "u:\(user):x")
  }

  private static func run(_ command: [String]) throws -> Int32 { try Program(command).exit() }

  /// The user's program sends a datagram to the socket.
  private static func sends(to path: String, as user: UInt32, _ group: UInt32) throws -> Bool {
    let script =
      "import socket, sys; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', sys.argv[1])"
    return try run([
      "setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "/usr/bin/python3", "-c",
      script, path,
    ]) == 0
  }

  @Test("lets the share's user write to its socket, and nobody else into chronyd's folder", .asRoot)
  func narrow() throws {
    let nobody = try #require(getpwnam("nobody")).pointee
    let group = String(cString: try #require(getgrgid(nobody.pw_gid)).pointee.gr_name)
    let folder = FileManager.default.temporaryDirectory.appending(path: "chrony-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let command = try ["sh", "-c", Self.command(folder, "nobody", group)]
    #expect(try Self.run(command) == 0, "without a socket it does nothing")
    // As chronyd and its unit make them.
    let socket = "\(folder)/locationd.sock"
    let clock = try Program([
      "/usr/bin/python3", "-c",
      """
      import os, socket, sys
      one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      one.bind(sys.argv[1])
      print("there", flush=True)
      while one.recv(9): pass
      """, socket,
    ])
    #expect(try clock.line() == "there")
    try #require(chmod(socket, 0o755) == 0 && chmod(folder, 0o700) == 0)
    #expect(try !Self.sends(to: socket, as: nobody.pw_uid, nobody.pw_gid))
    #expect(try Self.run(command) == 0)
    #expect(try Self.sends(to: socket, as: nobody.pw_uid, nobody.pw_gid))
    #expect(try !Self.sends(to: socket, as: 1, nobody.pw_gid), "its group does not enter")
    #expect(try !Self.sends(to: socket, as: 1, 1))
    // A restart of chrony's unit sets the folder's mode anew.
    try #require(chmod(folder, 0o700) == 0)
    #expect(try !Self.sends(to: socket, as: nobody.pw_uid, nobody.pw_gid))
    #expect(try Self.run(command) == 0)
    #expect(try Self.sends(to: socket, as: nobody.pw_uid, nobody.pw_gid))
  }
}
