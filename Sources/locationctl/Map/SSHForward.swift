import Glibc
import LocationModel

/// The command that leads the computer of a person who has come over ssh to a page of this one.
enum SSHForward {
  /// Nil where the person sits here.
  static func line(to address: String) -> String? {
    guard let connection = getenv("SSH_CONNECTION"), let entry = getpwuid(geteuid()) else {
      return nil
    }
    return line(
      to: address, connection: String(cString: connection),
      user: String(cString: entry.pointee.pw_name))
  }

  /// `connection`: the address and port of the person's computer, then those of this one, as sshd says them.
  static func line(to address: String, connection: String, user: String) -> String? {
    let words = connection.split(separator: " ")
    guard words.count == 4, let port = Int(words[3]),
      let host = try? HostPort(address.dropFirst("http://".count).prefix { $0 != "/" }),
      let own = host.port
    else { return nil }
    let other = port == 22 ? "" : " -p \(port)"
    let command = "ssh -N -L \(own):127.0.0.1:\(own)\(other) \(user)@\(words[2])"
    return "On your own computer, this lets your browser open it: \(command.plain())"
  }
}
