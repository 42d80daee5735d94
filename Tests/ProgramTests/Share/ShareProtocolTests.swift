import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("The daemon and its share") struct ShareProtocolTests {
  /// A share of the test's own: two programs' connections are handed over, and all that is told is printed.
  private static let script = """
    import json, socket, sys
    door = socket.socket(socket.AF_UNIX)
    door.connect(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    programs = []
    for number in (1, 2):
        programs.append(socket.create_connection(listener.getsockname()))
        programs.append(listener.accept()[0])
        for method, what, descriptors in (
            ("client", {"door": "gpsd"}, [programs[-1].fileno()]), ("watch", {"on": True}, [])):
            call = {"jsonrpc": "2.0", "id": number, "method": "share." + method, "params": {"client": number, **what}}
            socket.send_fds(door, [json.dumps(call).encode() + b"\\n"], descriptors)
    for line in door.makefile(): print(line, end="", flush=True)
    """

  /// A daemon of the test's own, which allows all and prints the share's methods.
  private static let daemon = """
    import json, socket, sys
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    print("there", flush=True)
    door = listener.accept()[0]
    for line in door.makefile():
        call = json.loads(line)
        print(call["method"], flush=True)
        access = {"app": "gpsd:ann", "uid": 1000, "authorization": "authorizedAlways", "accuracy": "full"}
        door.sendall(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": access}).encode() + b"\\n")
    """

  @Test("a program that begins to watch is said once")
  func watchedOnce() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "share-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let socket = folder.appending(path: "s").path
    let daemon = try Program(["/usr/bin/python3", "-c", Self.daemon, socket])
    #expect(try daemon.line() == "there")
    let port = try RealGpsd.freePort()
    let share = try Program([
      Program.path("locationd-share"), "--config", "/dev/null", "--daemon", socket, "--gpsd",
      "127.0.0.1:\(port)",
    ])
    while try !share.line().contains("is ready") {}
    for isWelcomed in [false, true] {
      let client = try WordClient(port: port)
      if isWelcomed { #expect(client.hears("\"VERSION\"")) }
      client.send("?WATCH={\"enable\":true};?POLL;")
      #expect(client.hears("\"POLL\""))
      client.end()
      var methods: [String] = []
      while methods.last != "share.close" { methods.append(try daemon.line()) }
      #expect(methods == ["share.client", "share.watch", "share.close"])
    }
  }

  @Test("a fix is one line for all programs that are told, however many")
  func once() throws {
    let daemon = try RunningDaemon.replaying()
    let share = try Program(["/usr/bin/python3", "-c", Self.script, daemon.socket])
    var app: String?
    while app == nil { app = try JSON(parsing: share.line())["result"]?["app"]?.string }
    try #require(daemon.control("grant", app ?? "", "always").exit() == 0)
    var moments: [String] = []
    while moments.count < 20 {
      let line = try JSON(parsing: share.line())
      guard line["method"] == "share.fix", let told = line["params"] else { continue }
      let clients = told["clients"]?.array?.compactMap(\.integer).sorted()
      // The first fix is told each of them as it is allowed.
      if moments.isEmpty, clients != [1, 2] { continue }
      #expect(clients == [1, 2])
      moments.append("\(told["location"]?["timestamp"] ?? "none")")
    }
    #expect(Set(moments).count == moments.count && moments.first != "none", "\(moments)")
  }
}
