import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@testable import LocationClient

/// An agent's look at a program of its user's.
@Suite("Sight of a program") struct ProgramSightTests {
  private let folder =
    FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    + "/sight-\(UUID().uuidString)"

  /// Has a connection as programs make one, says the inode of the other end, and waits.
  private static let python = """
    import os, socket, sys
    ours, theirs = socket.socketpair()
    def say(): print(os.fstat(theirs.fileno()).st_ino, flush=True)
    def wait(): theirs.recv(1)
    """
  private static let perl = """
    use Socket;
    socketpair(my $ours, my $theirs, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
    sub say_it { $| = 1; print((stat($theirs))[1], "\\n"); }
    sub wait_here { sysread($theirs, my $byte, 1); }
    """

  private func write(_ text: String, to name: String) throws {
    let path = "\(folder)/\(name)"
    let parent = URL(filePath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try writeProgram(text, to: path)
  }

  /// Files are older than the process if it is started in another tick of the kernel's.
  private func settle() {
    let start = ContinuousClock.now
    #expect(eventually { ContinuousClock.now - start > .milliseconds(40) })
  }

  /// Starts a program that prints its socket, and looks at it.
  private func sight(
    _ command: [String], in environment: [String] = [], home: String? = nil
  ) throws -> (sight: JSON?, image: ProgramImage?, child: Child) {
    settle()
    let child = try Child(
      ["/usr/bin/env", "-i", "-C", folder] + environment + command, output: .pipe)
    let socket = try #require(UInt32(child.line()))
    return (ProgramSight.look(at: child.pid, socket: socket), ProgramImage(of: child.pid), child)
  }

  private func expectScript(
    _ name: String, _ command: [String], in environment: [String] = []
  ) throws {
    let (sight, _, child) = try sight(command, in: environment)
    #expect(sight?["script"]?.string == "\(folder)/\(name)", "\(command) \(environment)")
    #expect(sight?["shared"] == .bool(true))
    child.end()
  }

  private func expectInterpreter(_ command: [String], in environment: [String] = []) throws {
    let (sight, _, child) = try sight(command, in: environment)
    #expect(sight?["exe"]?.string != nil, "\(command) \(environment)")
    #expect(sight?["script"] == nil, "\(command) \(environment)")
    #expect(sight?["shared"] == .bool(true))
    child.end()
  }

  private func clean() { try? FileManager.default.removeItem(atPath: folder) }

  @Test("a program whose file an upgrade replaces keeps its name; a removed file has none")
  func upgraded() throws {
    defer { clean() }
    try write("", to: "empty")
    let file = "\(folder)/walker"
    // By another process: a program that is open for writing here, or in what forks meanwhile, cannot be started.
    #expect(try Child(["/bin/cp", "/usr/bin/perl", file]).exit() == 0)
    settle()
    let child = try Child(
      [file, "-e", "\(Self.perl)\nsay_it(); wait_here();"], output: .pipe)
    let socket = try #require(UInt32(child.line()))
    func name() -> String? { ProgramSight.look(at: child.pid, socket: socket)?["exe"]?.string }
    #expect(name() == file)
    try FileManager.default.copyItem(atPath: "/usr/bin/perl", toPath: "\(file)-new")
    #expect(rename("\(file)-new", file) == 0)
    #expect(name() == file)
    #expect(unlink(file) == 0)
    #expect(name() == nil)
    // What has the place is no program.
    #expect(mkdir(file, 0o755) == 0)
    #expect(name() == nil)
    child.end()
  }

  @Test("an honest script is named by its file, however it is started by its whole path")
  func honest() throws {
    defer { clean() }
    try write("#!/usr/bin/python3\n\(Self.python)\nsay(); wait()\n", to: "walk.py")
    try write("#!/usr/bin/perl\n\(Self.perl)\nsay_it(); wait_here();\n", to: "walk.pl")
    symlink("\(folder)/walk.py", "\(folder)/walk")
    for command in [
      ["/usr/bin/python3", "\(folder)/walk.py"], ["\(folder)/walk.py"], ["\(folder)/walk"],
      ["/usr/bin/python3", "\(folder)/walk.py", "--fast", "x y", ""],
    ] {
      try expectScript("walk.py", command)
    }
    try expectScript(
      "walk.py", ["python3", "\(folder)/walk.py"],
      in: [
        "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "PYTHONUNBUFFERED=1", "GTK_MODULES=gail:atk-bridge",
      ])
    try expectScript("walk.pl", ["/usr/bin/perl", "\(folder)/walk.pl"])
    try expectScript("walk.pl", ["\(folder)/walk.pl", "x"])
  }

  @Test(
    "with an option, a text, standard input or what the environment loads it is the interpreter")
  func interpreter() throws {
    defer { clean() }
    let text = "\(Self.python)\nsay(); wait()\n"
    try write(text, to: "walk.py")
    let script = "\(folder)/walk.py"
    try expectInterpreter(["/usr/bin/python3", "-c", text])
    try expectInterpreter(["/usr/bin/python3", "-u", script])
    try expectInterpreter(["/bin/sh", "-c", "exec /usr/bin/python3 /dev/stdin < \(script)"])
    for setting in [
      "LD_PRELOAD=", "PYTHONPATH=/tmp", "PYTHONUSERBASE=\(folder)", "PYTHONSTARTUP=x",
      "PYTHONWARNINGS=error::evil.E", "HOME=\(folder)", "GTK_MODULES=\(folder)/evil.so",
    ] {
      try expectInterpreter(["/usr/bin/python3", script], in: [setting])
    }
    try write("\(Self.perl)\nsay_it(); wait_here();\n", to: "walk.pl")
    for setting in ["PERL5LIB=/tmp", "PERL5OPT=-Mstrict"] {
      try expectInterpreter(["/usr/bin/perl", "\(folder)/walk.pl"], in: [setting])
    }
  }

  @Test("a path that may have led elsewhere when the process began names nothing")
  func moved() throws {
    defer { clean() }
    try write("honest", to: "honest/walk.py")
    // Started beside another script of that name, it goes where the other one is.
    try write(
      "\(Self.python)\nos.chdir('\(folder)/honest'); say(); wait()\n", to: "walk.py")
    try expectInterpreter(["/usr/bin/python3", "walk.py"])
    try write(
      """
      \(Self.python)
      os.symlink('\(folder)/honest/walk.py', 'new'); os.rename('new', '\(folder)/link')
      say(); wait()
      """, to: "relink.py")
    symlink("\(folder)/relink.py", "\(folder)/link")
    try expectInterpreter(["/usr/bin/python3", "\(folder)/link"])
    try write(
      "\(Self.python)\nos.rename('\(folder)/honest/walk.py', __file__); say(); wait()\n",
      to: "replace.py")
    try expectInterpreter(["/usr/bin/python3", "\(folder)/replace.py"])
  }

  @Test("arguments that were written over in place name nothing, however well they fit")
  func overwritten() throws {
    defer { clean() }
    try write("honest", to: "good.py")
    try write("honest", to: "good.pl")
    let memory = """
      \(Self.python)
      fields = open('/proc/self/stat').read().rsplit(')', 1)[1].split()
      start, end = int(fields[45]), int(fields[46])
      old = open('/proc/self/cmdline', 'rb').read()
      new = sys.argv[1].encode() + b'\\0' + b'\(folder)/good.py' + b'\\0'
      new = (new + bytes([int(sys.argv[2])]) * (end - start))[:end - start - 1] + b'\\0'
      """
    try write(
      """
      \(memory)
      import ctypes
      ctypes.memmove(start, new, len(new)); say(); wait()
      """, to: "evil.py")
    try write(
      """
      \(memory)
      with open('/proc/self/mem', 'r+b', buffering=0) as own: own.seek(start); own.write(new)
      say(); wait()
      """, to: "quiet-evil.py")
    // The rest is zeros, or looks like an argument; or it fits without a rest.
    for byte in ["0", "120"] {
      try expectInterpreter(["/usr/bin/python3", "\(folder)/evil.py", "python3", byte])
    }
    try expectInterpreter(["/usr/bin/python3", "\(folder)/quiet-evil.py", "python3", "0"])
    try write(
      """
      \(Self.perl)
      $0 = "perl\\0\(folder)/good.pl";
      say_it(); wait_here();
      """, to: "evil.pl")
    try expectInterpreter(["/usr/bin/perl", "\(folder)/evil.pl", "x"])
    try expectInterpreter(["/usr/bin/perl", "\(folder)/evil.pl", "x"], in: ["LANG=C"])
    // Its file's name is the kernel's name of it.
    try write(
      """
      #!/usr/bin/python3
      \(memory)
      with open('/proc/self/mem', 'r+b', buffering=0) as own: own.seek(start); own.write(new)
      say(); wait()
      """, to: "direct-evil.py")
    try expectInterpreter(["\(folder)/direct-evil.py", "python3", "120"])
  }

  @Test("what the user's folder has Python run first may be anything: then it is the interpreter")
  func customized() throws {
    defer { clean() }
    try write("\(Self.python)\nsay(); wait()\n", to: "work/walk.py")
    let script = "\(folder)/work/walk.py"
    let (_, image, child) = try sight(["/usr/bin/python3", script])
    func isNamed() throws -> Bool {
      ScriptSight(try #require(image), "/usr/bin/python3.11", home: "\(folder)/home") != nil
    }
    #expect(try isNamed())
    for name in ["usercustomize.py", "sitecustomize/__init__.py", "x.pth"] {
      let packages = "home/.local/lib/python3.11/site-packages"
      try write("", to: "\(packages)/\(name)")
      #expect(try !isNamed(), "\(name)")
      try FileManager.default.removeItem(atPath: "\(folder)/home")
      #expect(try isNamed())
    }
    child.end()
    // A virtual environment of the script's own is, another is not.
    for (place, isOwn) in [("work/env", true), ("elsewhere/env", false)] {
      try write("home = /usr/bin\n", to: "\(place)/pyvenv.cfg")
      try write("", to: "\(place)/bin/.keep")
      symlink("/usr/bin/python3", "\(folder)/\(place)/bin/python3")
      for (called, environment) in [
        ("\(folder)/\(place)/bin/python3", []), ("python3", ["PATH=\(folder)/\(place)/bin:/bin"]),
      ] {
        let expect =
          isOwn
          ? { try self.expectScript("work/walk.py", $0, in: $1) }
          : { try self.expectInterpreter($0, in: $1) }
        try expect([called, script], environment)
      }
    }
  }

  @Test("a program that takes the place of the one that connected never gives its name")
  func exec() throws {
    defer { clean() }
    try write("import time\nprint('here', flush=True)\ntime.sleep(600)\n", to: "good.py")
    try write("echo here; read line <&1\n", to: "good.sh")
    // It has a connection of its own, too, as a program that may know the place has.
    try write("\(Self.python)\nprint('here', flush=True); wait()\n", to: "client.py")
    for next in [
      ["/usr/bin/python3", "\(folder)/good.py"], ["/bin/sh", "\(folder)/good.sh"],
      ["/usr/bin/python3", "\(folder)/client.py"], ["/bin/sleep", "600"],
    ] {
      for isKept in [true, false] {
        // A child holds the connection, or it stays open for the next program.
        try write(
          """
          \(Self.python)
          import time
          ours.set_inheritable(\(isKept ? "True" : "False"))
          say()
          parent = os.getpid()
          if os.fork() == 0:
              while os.getppid() == parent: time.sleep(0.001)
              os._exit(0)
          os.execv(sys.argv[1], sys.argv[1:])
          """, to: "evil.py")
        for round in 0..<20 {
          let child = try Child(
            ["/usr/bin/env", "-i", "-C", folder, "/usr/bin/python3", "\(folder)/evil.py"] + next,
            output: .pipe)
          let socket = try #require(UInt32(child.line()))
          // At once in half of the rounds, when it is the next program for certain in the others.
          if round % 2 == 0, next[0] != "/bin/sleep" { #expect(try child.line() == "here") }
          let sight = ProgramSight.look(at: child.pid, socket: socket)
          let names = [sight?["exe"]?.string, sight?["script"]?.string].compactMap { $0 }
          #expect(!names.contains { $0.contains("good.") || $0.contains("client.") }, "\(next)")
          #expect(!names.contains { $0.hasSuffix("/sleep") })
          child.end()
        }
      }
    }
  }

  @Test("a program that is no interpreter is named where the connection is its own")
  func native() throws {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { for end in ends where end >= 0 { close(end) } }
    var entry = stat()
    fstat(ends[0], &entry)
    let socket = try #require(UInt32(exactly: entry.st_ino))
    #expect(
      ProgramSight.look(at: getpid(), socket: socket)?["exe"]?.string
        == ProcFile.link("/proc/self/exe"))
    // Another program may have left it open.
    _ = fcntl(ends[1], F_SETFD, 0)
    #expect(ProgramSight.look(at: getpid(), socket: socket) == nil)
    close(ends[1])
    ends[1] = -1
    #expect(ProgramSight.look(at: getpid(), socket: socket) == nil)
  }
}
