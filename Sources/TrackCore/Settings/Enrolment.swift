package import LocationModel

/// The certificate that a server gave this machine, and how it fares.
package struct Enrolment: Equatable, Sendable {
  package var url: String
  /// The file of the authority that the server is trusted by; nil for the system's.
  package var authority: String?
  package var begins: Timestamp
  package var ends: Timestamp
  /// Why the last try to renew it failed.
  package var trouble: String?

  package init(url: String, authority: String?, begins: Timestamp, ends: Timestamp) {
    (self.url, self.authority, self.begins, self.ends) = (url, authority, begins, ends)
  }

  private static let notice = 14 * 86_400.0
  private var lifetime: Double { max((ends - begins).seconds, 0) }

  /// Two thirds of its time are over.
  package func isDue(at now: Timestamp) -> Bool { (now - begins).seconds >= lifetime * 2 / 3 }

  /// For a person: fourteen days before its end, or the last sixth of a short life, it should have been renewed.
  package func warning(at now: Timestamp) -> String? {
    guard (ends - now).seconds <= min(Self.notice, lifetime / 6) else { return nil }
    let verb = ends <= now ? "ended" : "ends"
    return "the certificate of this machine \(verb) at \(ends.iso8601) and is not renewed: "
      + (trouble ?? "it was not tried, or has not been answered")
  }

  /// The reason why an answer is none.
  package static func refusal(status: Int, body: [UInt8]) -> String {
    let line = String(decoding: body.prefix(200), as: UTF8.self).split(separator: "\n").first
    let words = line.map { ": " + String($0).plain(atMost: 200) } ?? ""
    return status == 202
      ? "the server has the request, and answers later" : "the server answers \(status)\(words)"
  }
}

extension Enrolment {
  package var text: String {
    let json: JSON = [
      "url": .string(url), "ca": authority.map(JSON.string), "begins": .string(begins.iso8601),
      "ends": .string(ends.iso8601), "trouble": trouble.map(JSON.string),
    ]
    return json.text
  }

  package init?(_ text: String) {
    guard let json = try? JSON(parsing: text), let url = json["url"]?.string,
      let begins = json["begins"]?.string.flatMap(Timestamp.init(iso8601:)),
      let ends = json["ends"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    self.init(url: url, authority: json["ca"]?.string, begins: begins, ends: ends)
    trouble = json["trouble"]?.string
  }

  /// The dates of `openssl x509 -dates -dateopt iso_8601`.
  package static func dates(_ text: String) -> (begins: Timestamp, ends: Timestamp)? {
    func date(_ name: String) -> Timestamp? {
      let line = text.split(separator: "\n").first { $0.hasPrefix(name + "=") }
      return line.flatMap {
        Timestamp(iso8601: String($0.dropFirst(name.count + 1)).replacingText(" ", by: "T"))
      }
    }
    guard let begins = date("notBefore"), let ends = date("notAfter"), begins < ends else {
      return nil
    }
    return (begins, ends)
  }

  package func status(at now: Timestamp) -> JSON {
    [
      "ends": .string(ends.iso8601), "trouble": trouble.map(JSON.string),
      "warning": warning(at: now).map(JSON.string),
    ]
  }
}
