import Foundation
import TestSupport
import Testing

@testable import locationctl

@Suite("The desktop's name and icon of an app") struct DesktopEntryTests {
  /// A folder of data as XDG_DATA_DIRS names them.
  private final class Data {
    let root = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID())")

    init(_ files: [String: String]) throws {
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      try FileManager.default.write(files, in: root)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func entry(_ app: String, language: String = "en") -> DesktopEntry? {
      DesktopEntry(of: app, language: language, in: ["/nowhere", root.path])
    }
  }

  private static let file = """
    [Other]
    Name=Not this
    [Desktop Entry]
    Name=Walk
    Name[ko]=산책
    Name[pt_BR]=Passeio
    Icon=walk
    [Desktop Action new]
    Name=New
    """

  @Test("an app of the desktop's and one of Flatpak's have them, in the page's language")
  func names() throws {
    let data = try Data([
      "applications/org.a.Walk.desktop": Self.file,
      "icons/hicolor/scalable/apps/walk.svg": "<svg/>",
    ])
    let entry = try #require(data.entry("app:org.a.Walk"))
    #expect(entry.name == "Walk" && entry.icon == "data:image/svg+xml;base64,PHN2Zy8+")
    #expect(data.entry("flatpak:org.a.Walk", language: "ko-KR")?.name == "산책")
    #expect(data.entry("app:org.a.Walk", language: "pt-BR")?.name == "Passeio")
    for other in ["unit:org.a.Walk", "exe:/org.a.Walk", "app:org.a.Run", "app:", "org.a.Walk"] {
      #expect(data.entry(other) == nil, "\(other)")
    }
  }

  @Test("a file elsewhere, a name with marks and an icon without bounds are not taken as they are")
  func hostile() throws {
    let data = try Data([
      "x.desktop": Self.file, "secret.png": "secret",
      "applications/a.desktop": "[Desktop Entry]\nName=M\u{202E}aps\nIcon=../../../secret\n",
      "applications/b.desktop":
        "[Desktop Entry]\nName=\(String(repeating: "n", count: 500))\nIcon=big\n",
      "icons/hicolor/48x48/apps/big.png": String(repeating: "p", count: (64 << 10) + 1),
    ])
    #expect(data.entry("app:../x") == nil && data.entry("app:..") == nil)
    let odd = try #require(data.entry("app:a"))
    #expect(odd.name == "M\u{FFFD}aps" && odd.icon == nil)
    let long = try #require(data.entry("app:b"))
    #expect(long.name?.count == 80 && long.icon == nil)
  }
}
