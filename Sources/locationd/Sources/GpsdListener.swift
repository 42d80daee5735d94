import Platform

/// The listener where this machine's gpsd would be: any user may listen there, and tell any place.
enum GpsdListener {
  /// Why that is not the system's gpsd; nil where it is.
  static func whyNot(
    port: Int, tables: [String] = ["/proc/net/tcp", "/proc/net/tcp6"], gpsd: UInt32? = Self.user
  ) -> String? {
    let owners = tables.flatMap { table -> [UInt32] in
      let bytes = (try? File.bytes(of: table, atMost: 16 << 20)) ?? []
      return Self.owners(in: String(decoding: bytes, as: UTF8.self), port: port)
    }
    guard let stranger = owners.first(where: { $0 != 0 && $0 != gpsd }) else {
      return owners.isEmpty ? "no gpsd runs on this machine" : nil
    }
    return
      "what listens at port \(port) is of uid \(stranger), not of root or gpsd; if it is to be"
      + " believed, Source=gpsd://localhost:\(port) names it"
  }

  private static var user: UInt32? { Accounts().uid(of: "gpsd") }

  /// The uids that listen at a port, by a table of the kernel's.
  private static func owners(in table: String, port: Int) -> [UInt32] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 7, columns[3] == listening,
        let place = columns[1].split(separator: ":").last, Int(place, radix: 16) == port
      else { return nil }
      return UInt32(columns[7])
    }
  }

  private static let listening = "0A"
}
