import Console
import Glibc
import LocationModel
import Platform

/// Serves a page with a map to the user who started it.
@main
struct LocationdMap: CommandLineProgram {
  static let name = "locationd-map"
  private let port: UInt16
  private let data: String

  init(_ arguments: inout Arguments) throws(Failure) {
    let port = try arguments.number("--port", "a port, 1 to 65535") {
      (1...65_535).contains($0) && $0 == $0.rounded()
    }
    self.port = UInt16(port ?? 0)
    data = try arguments.value("--data") ?? "/usr/share/locationd/places"
  }

  func run() {
    Process.endWithParent()
    do throws(SystemError) {
      let files = try PageFiles(data: data)
      let loop = try EventLoop()
      let server = try MapServer(port: port, files, on: loop)
      try withExtendedLifetime(server) { () throws(SystemError) in try loop.run() }
    } catch {
      Self.complain("\(error)")
      exit(1)
    }
  }

  static let help = """
    Usage: locationd-map [--port N] [--data DIR]

    Serves a page with a map on 127.0.0.1, to the user who started it alone. It knows nothing but what
    its parent tells it on standard input, and says on standard output what the person does there: a
    line of JSON each. It ends with its parent. Start it by 'locationctl map'.

      --port N     listen on this port (default: any that is free)
      --data DIR   the folder with the base map (default /usr/share/locationd/places)
      --version    print the version
      --help       print this

    """
}
