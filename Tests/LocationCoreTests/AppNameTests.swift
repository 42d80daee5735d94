import Testing

@testable import LocationCore

@Suite("Names of apps") struct AppNameTests {
  @Test(
    "a name is what is written, of a kind there is",
    arguments: [
      "flatpak:org.gnome.Maps", "snap:firefox", "unit:weather.service", "userunit:sync",
      "app:org.kde.marble", "exe:/usr/bin/a b:c", "user:ann",
    ])
  func written(text: String) {
    #expect(AppName(text)?.description == text)
  }

  @Test(
    "what is no name is none",
    arguments: [
      "", ":", "user", "user:", "User:ann", "group:ann", "exe:ls", "unit:", "userunit:.service",
      "user:a\nb", "user:a\u{7f}", "app:a\u{200b}", "app:a\u{202e}b", "app:\u{e000}",
      "app:" + String(repeating: "a", count: 4097),
    ])
  func refused(text: String) {
    #expect(AppName(text) == nil)
  }

  @Test("a service may be written with its suffix or without")
  func suffixes() {
    #expect(AppName("unit:weather")?.description == "unit:weather.service")
    #expect(AppName("userunit:sync.service")?.description == "userunit:sync")
  }
}
